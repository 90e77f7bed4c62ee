from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from benchmarks.false_alarms import ITEMS, SPREADS, wrong_choices
from benchmarks.false_alarms import wrong as wrong_share
from core.errors import InputError
from core.files import ROOT
from core.people.choices import COLUMNS, FIRST, SECOND, TIE, make_choices, rated_choices, read_choices
from core.people.evaluation import ratings_table
from core.people.forms import form_of
from core.people.power import pilot, plan_table
from core.people.rating_files import read_ratings
from core.people.strengths import ONE_WAY, UNBEATEN, UNLINKED, audit, strengths, strengths_table
from core.results.table import as_text
from core.results.ties import differing
from core.statistics.bootstrap import Figure, holm
from core.statistics.crossed import crossed_estimates, crossed_mean, variances
from core.statistics.krippendorff import Scale, alpha_of
from core.statistics.simulated_studies import repeated
from core.statistics.study_size import SUMMEVAL, AnswerSpread, needed, simulate, spread_of

SUMMEVAL_FILE = "data/summeval/summeval_12systems_annotations.csv.gz"
SUMMEVAL_COHERENCE = (*("M22", "M23", "M17", "M20", "M12", "M13"), *("M15", "M8", "M14", "M10", "M9", "M11"))
"""The systems by the experts' mean coherence, 4.18 to 2.28 (Fabbri et al. 2021, table 3)."""


def test_ratings_of_summeval_as_choices_give_its_published_ranking(shared):
    data = (shared / SUMMEVAL_FILE).read_bytes()
    columns = {"rated": "expert*_coherence", "system": "model_id", "items": ["id"]}
    choices = make_choices(rated_choices(data, "summeval.csv.gz", **columns))
    assert len(choices) == 3 * 100 * 66
    found = strengths(choices)
    ranked = sorted(zip(found.strengths, found.systems, strict=True), key=lambda one: -one[0].value)
    assert tuple(name for _, name in ranked) == SUMMEVAL_COHERENCE
    assert all(strength.low < strength.value < strength.high for strength, _ in ranked)
    # Over three experts, only systems far apart are told apart.
    differ = differing(found.gaps)
    assert (0, 1) not in differ
    assert {frozenset(pair) for pair in differ} >= {frozenset({6, 9})}
    assert audit(choices).first.value is None


def test_ratings_become_choices_a_rater_and_two_systems_each():
    table = b"item,system,ada,bo\n1,A,5,3\n1,B,4,3\n1,C,,1\n2,A,1,2\n"
    rated = rated_choices(table, "t.csv", rated="ada,bo", system="system", items=["item"])
    choices = make_choices(rated)
    assert choices.chosen.tolist() == [1, 0, 1, 1]
    unnamed = table.replace(b"item", b"Article")
    assert rated_choices(unnamed, "t.csv", rated="ada,bo", system="system", items=[]).equals(rated)
    named = {"rated": "ada", "system": "system", "items": ["item"]}
    for wrong in ({"rated": "cy"}, {"system": "model"}, {"items": []}):
        with pytest.raises(InputError, match="has no column"):
            rated_choices(table, "t.csv", **named | wrong)
    with pytest.raises(InputError, match="'good' in the column 'ada'"):
        rated_choices(table.replace(b"5", b"good"), "t.csv", **named)


def choices_in(rows):
    return make_choices(pd.DataFrame([(*row, True) for row in rows], columns=COLUMNS))


def drawn_rows(count, true, *, ties=0.1, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(count):
        one, other = rng.choice(len(true), 2, replace=False).tolist()
        wins = rng.random() < 1 / (1 + np.exp(true[other] - true[one]))
        chosen = TIE if rng.random() < ties else FIRST if wins else SECOND
        rows.append((f"s{one}", f"s{other}", chosen, str(item), "Ada"))
    return rows


def likeliest(choices):
    """A second computation: the likelihood climbed by a general optimiser."""
    points = choices.points()

    def loss(logs):
        return float((points * np.logaddexp(0, logs[None, :] - logs[:, None])).sum())

    found = minimize(loss, np.zeros(len(points)), method="BFGS", options={"gtol": 1e-8}).x
    return dict(zip(choices.systems, found - found.mean(), strict=True))


def test_strengths_are_those_of_a_second_computation():
    choices = choices_in(drawn_rows(400, (1.0, 0.3, -0.2, -1.1)))
    found = strengths(choices)
    again = likeliest(choices)
    for name, figure in zip(found.systems, found.strengths, strict=True):
        assert figure.value == pytest.approx(again[name], abs=1e-4)
    assert found.systems == tuple(sorted(again, key=lambda name: -again[name]))


def test_judges_who_favour_different_systems_give_few_false_alarms():
    assert 0.03 <= wrong_choices(0.7, 30, 3, studies=150) <= 0.08


def test_a_system_that_never_lost_has_no_strength():
    rows = [("A", "B", FIRST, str(item), "") for item in range(12)]
    rows += [("B", "C", FIRST if item % 2 else SECOND, f"c{item}", "") for item in range(12)]
    found = strengths(choices_in(rows))
    by_name = dict(zip(found.systems, found.strengths, strict=True))
    assert by_name["A"].reason == UNBEATEN
    assert by_name["B"].value == pytest.approx(0)
    alone = strengths(choices_in(rows[:12]))
    assert [one.value for one in alone.strengths] == [None, None]
    assert UNBEATEN in as_text(strengths_table(choices_in(rows[:12])))


def test_a_system_without_a_strength_is_told_the_true_reason():
    def reasons(*wins):
        found = strengths(choices_in([(*pair, FIRST, str(item), "") for item, pair in enumerate(wins)]))
        return dict(zip(found.systems, (figure.reason for figure in found.strengths), strict=True))

    both = reasons("AB", "BC")
    assert both == {"A": UNBEATEN, "B": ONE_WAY, "C": UNBEATEN}
    ring = ("AB", "BC", "CA")
    apart = reasons(*ring, "DE", "ED")
    assert (apart["A"], apart["D"], apart["E"]) == ("", UNLINKED, UNLINKED)
    below = reasons(*ring, "AD", "DE", "ED")
    assert (below["A"], below["D"], below["E"]) == ("", ONE_WAY, ONE_WAY)


def test_few_items_never_give_an_interval_without_a_warning():
    # Thirty choices, but about six items only.
    rows = [
        (f"s{at}", f"s{other}", FIRST if (item + at) % 3 else SECOND, str(item), "")
        for item in range(6)
        for at, other in ((0, 1), (1, 2), (2, 0), (0, 2), (1, 0))
    ]
    choices = choices_in(rows)
    figures = (*strengths(choices).strengths, audit(choices).first)
    assert all(figure.warning.startswith("Too few items") for figure in figures)


def test_circles_are_counted_among_systems_and_in_one_judges_choices():
    ring = [*pairwise("ABC"), ("C", "A")]
    rows = [(one, other, FIRST, "1", "Ada") for one, other in ring]
    rows += [("A", "B", FIRST, "1", "Bo"), ("B", "C", FIRST, "1", "Bo"), ("C", "A", SECOND, "1", "Bo")]
    rows += [("A", "B", FIRST, "2", "Bo"), ("B", "C", TIE, "2", "Bo"), ("C", "A", FIRST, "2", "Bo")]
    found = audit(choices_in(rows))
    assert (found.triples, found.circles, found.circular) == (1, 1, (("A", "B", "C"),))
    assert (found.own_triples, found.own_circles) == (2, 1)
    assert audit(choices_in(rows[3:6])).circles == 0


def test_a_choice_may_name_the_system_that_won_and_its_article_is_the_item():
    text = b"article,left,right,said\n7,B,A,A\n7,A,C,tie\n8,C,E,C\n"
    read = read_choices(text, "x.csv", left="left", right="right", answer="said")
    assert read["chosen"].tolist() == [SECOND, TIE, FIRST]
    assert read["item"].tolist() == ["7", "7", "8"]


def test_a_column_of_judges_is_found_and_ties_say_whom_they_hold_for():
    said = [("left" if (item + judge) % 3 else "right", item, judge) for item, judge in np.ndindex(12, 3)]
    rows = [f"{item},A,B,{answer},j{judge}" for answer, item, judge in said]
    text = "\n".join(["article,left,right,answer,Judge", *rows])
    named = {"left": "left", "right": "right", "answer": "answer"}
    known = make_choices(read_choices(text.encode(), "p.csv", **named))
    assert len(set(known.judges.tolist())) == 3
    unknown = make_choices(read_choices(text.replace("Judge", "note").encode(), "p.csv", **named))
    assert set(unknown.judges.tolist()) == {-1}
    for choices, judged in ((known, True), (unknown, False)):
        (ties,) = [note for note in strengths_table(choices).notes if note.startswith("Ties")]
        assert ("judges" in ties) == judged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left,right,said\nA,B,better\n", "Row 1 of x.csv has 'better' in the column 'said'"),
        ("left,right\nA,B\n", "no column 'said'"),
        ("left,right,said\nA,A,left\n", "no choice between two systems"),
    ],
)
def test_tables_that_hold_no_choices_are_refused(text, said):
    with pytest.raises(InputError, match=said):
        read_choices(text.encode(), "x.csv", left="left", right="right", answer="said")


def summeval(shared, question):
    """Experts' answers as shares of the most, float64 [systems, experts, articles]."""
    table = pd.read_csv(shared / SUMMEVAL_FILE)
    experts = [f"expert{expert}_{question}" for expert in (1, 2, 3)]
    wide = table.pivot_table(index="model_id", columns="id", values=experts)
    return wide.to_numpy(dtype=np.float64).reshape(len(wide), 3, -1) / 5


def test_power_is_that_of_the_formula_where_there_is_one():
    # With many judges who favour nothing the interval is close to mean ± 1.96 standard errors.
    from scipy.stats import norm

    found = simulate(AnswerSpread(items=0.2, judges=0.0, answers=0.3), items=100, judges=30, studies=4_000)
    error = np.sqrt((0.04 + 0.09 / 30) / 100)
    for difference in (0.03, 0.05, 0.08):
        assert found.power(difference) == pytest.approx(norm.cdf(difference / error - 1.96), abs=0.03)
    assert found.detectable() == pytest.approx((1.96 + 0.8416) * error, rel=0.04)
    assert found.power(found.detectable()) == pytest.approx(0.8, abs=0.002)
    assert found.false_alarms == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
@pytest.mark.parametrize("judges", [3, 5, 10])
def test_five_of_a_hundred_studies_find_a_difference_where_there_is_none(spread, judges):
    alarms = [simulate(spread, items=items, judges=judges, studies=40_000).false_alarms for items in ITEMS]
    assert all(0.04 <= share <= 0.06 for share in np.round(alarms, 3)), alarms


@pytest.mark.parametrize("judges", [3, 5])
@pytest.mark.parametrize("design", [{"missing": 0.3}, {"scale": True}, {}], ids=["missing", "scale", "whole"])
def test_intervals_of_the_tables_are_right_over_studies_whose_answers_were_drawn(judges, design):
    share = wrong_share(SPREADS["judges differ"], 40, judges, **design, studies=3_000)
    assert 0.033 <= share <= 0.067  # chance of 3,000 studies beside


@pytest.mark.parametrize(
    ("spread", "difference"), [(SUMMEVAL, 0.12), (SPREADS["judges differ"], 0.25)], ids=SPREADS
)
def test_each_answer_of_the_advisor_keeps_its_promise_in_studies_whose_answers_are_drawn(spread, difference):
    items, studies = needed(spread, difference, judges=5)
    judges, with_judges = needed(spread, difference, items=60)
    here = simulate(spread, items=60, judges=5)
    designs = {
        "how many items": (items, 5, difference, studies.power(difference)),
        "how many judges": (60, judges, difference, with_judges.power(difference)),
        "what difference": (60, 5, here.detectable(), 0.8),
    }
    for question, (items, judges, size, promised) in designs.items():
        reached = wrong_share(spread, items, judges, true=size, studies=4_000)
        assert reached == pytest.approx(promised, abs=0.03), question


def test_table_and_advisor_say_the_same_of_a_finished_study_and_studies_keep_it():
    form, rng = form_of("numhg.v1"), np.random.default_rng(0)
    points = rng.integers(1, 6, (3, 14, 2))
    points[0, 0] = 3  # of which one answer is missing
    rows = [
        f"{judge},{article},s{system},2,{system + 1},{'' if judge + article + system == 0 else value}"
        for (judge, article, system), value in np.ndenumerate(points)
    ]
    head = "judge,article,system,numeral_accuracy,reasonableness,readability"
    ratings = read_ratings("\n".join([head, *rows]).encode(), "answers.csv", form)
    spread, items, judges, finished = pilot(ratings, "readability", ["s0", "s1"])
    # The answers' own interval takes judges to agree, those of other studies do not.
    assert spread.judges == 0
    plan = plan_table(spread, 0.1, items=items, judges=judges, finished=finished)
    least = float(plan.rows[2][1].split(" %")[0].split()[-1])
    said = [note for note in ratings_table(ratings).notes if note.startswith("Readability")]
    assert f"{least} %" in said[0]
    assert wrong_share(spread, 14, 3, true=least / 100, studies=4_000) == pytest.approx(0.8, abs=0.03)


SHEETS = np.repeat(np.repeat(np.eye(2, dtype=bool), 3, axis=0), 20, axis=1)
ONE_JUDGE_AN_ITEM = np.arange(60) % 5 == np.arange(5)[:, None]


@pytest.mark.parametrize(
    "asked", [SHEETS, ONE_JUDGE_AN_ITEM, ONE_JUDGE_AN_ITEM.T], ids=["sheets", "one judge", "one answer"]
)
@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_four_of_five_studies_of_the_same_design_see_the_smallest_difference(asked, spread):
    rng, (judge, item), studies = np.random.default_rng(1), np.nonzero(asked), 3_000
    answers = rng.normal(0, spread.answers, (len(item), studies))
    answers += rng.normal(0, spread.items, (item.max() + 1, studies))[item]
    answers += rng.normal(0, spread.judges, (judge.max() + 1, studies))[judge]
    means = answers.mean(axis=0)
    figures = crossed_estimates(means, (answers - means) / len(answers), item, judge, unit="items")
    true = dict(zip(("item", "judge", "answer"), spread.variances, strict=True))
    least = repeated([figures[0].crossed._replace(**true)]).detectable()
    assert np.mean([figure.low + least > 0 for figure in figures]) == pytest.approx(0.8, abs=0.03)


def test_intervals_and_variances_are_those_of_closed_forms():
    from scipy.stats import ttest_1samp

    rng = np.random.default_rng(2)
    points = rng.normal(0, 0.2, 30) + rng.normal(0, 0.1, (4, 1)) + rng.normal(0, 0.1, (4, 30))
    by_item, by_judge = points.mean(axis=0), points.mean(axis=1)
    rest = points - by_item - by_judge[:, None] + points.mean()
    square = (rest**2).sum() / (29 * 3)
    closed = by_item.var(ddof=1) - square / 4, by_judge.var(ddof=1) - square / 30, square
    assert variances(points) == pytest.approx(closed)
    alone = crossed_mean(points[:1], unit="items", lowest=-1.0)
    expected = ttest_1samp(points[0], 0).confidence_interval(0.95)
    assert alone.interval == pytest.approx((expected.low, expected.high))


def test_figures_are_those_of_statsmodels():
    """Of 0.15.0: fleiss_kappa (alpha is k + (1 − k)/n), proportion_confint, multipletests."""
    rng = np.random.default_rng(4)
    codes = np.where(rng.random((30, 4)) < 0.7, rng.integers(0, 3, (30, 1)), rng.integers(0, 3, (30, 4)))
    kappa = 0.4742805347835938
    assert alpha_of(codes * 1.0, Scale.NOMINAL).value == pytest.approx(kappa + (1 - kappa) / 120, abs=1e-12)
    assert Figure.wilson(7, 40).interval == pytest.approx((0.0874541374603592, 0.3194999033178772))
    assert holm([0.01, 0.04, None, 0.03, 0.005]) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])


@pytest.mark.parametrize(("difference", "judges"), [(0.15, 3), (0.05, 10)])
def test_what_is_needed_is_the_fewest_items_that_find_it(difference, judges):
    items, studies = needed(SUMMEVAL, difference, judges=judges)
    assert studies.power(difference) >= 0.8
    assert simulate(SUMMEVAL, items=items - 1, judges=judges).power(difference) < 0.8
    count, with_judges = needed(SUMMEVAL, difference, items=items)
    assert with_judges.power(difference) >= 0.8
    assert count <= judges


def test_the_figures_of_the_guide():
    said = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")
    one, three, ten = (simulate(SUMMEVAL, items=150, judges=judges).false_alarms for judges in (1, 3, 10))
    assert f"leaves out 0 in {one:.0%} of" in said.replace(" %", "%")
    assert f"that of three judges in {three:.0%}, of ten in {ten:.0%}." in said.replace(" %", "%")
    assert needed(SUMMEVAL, 0.05, judges=3)[0] is None


def test_the_spread_without_a_pilot_is_that_of_summevals_experts(shared):
    found = []
    for question in ("coherence", "consistency", "fluency", "relevance"):
        values = summeval(shared, question)
        for one, other in combinations(range(12), 2):
            spread = spread_of(values[one] - values[other])
            found.append([spread.items, spread.judges, spread.answers])
    middle = np.median(found, axis=0).round(2).tolist()
    assert middle == [SUMMEVAL.items, SUMMEVAL.judges, SUMMEVAL.answers]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: plan_table(SUMMEVAL, 0.0), "cannot be looked for"),
        (lambda: plan_table(SUMMEVAL, 0.1, wanted=1.0), "cannot be asked for"),
        (lambda: AnswerSpread(items=0, judges=0, answers=0), "share of the most points"),
        (lambda: spread_of(np.full((2, 5), np.nan)), "fewer than two items"),
        (lambda: spread_of(np.zeros((2, 5))), "it has no spread"),
    ],
)
def test_what_cannot_be_advised_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call()
