from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from core.errors import InputError
from core.people.choices import FIRST, SECOND, TIE, joined, make_choices, rated_choices, read_choices
from core.people.strengths import UNBEATEN, audit, strengths, strengths_table
from core.results.render import as_csv, as_text

MARKUP = "data/ru_news_dialogue2021/data__headline_selection__titles_markup_05{}_urls.tsv"


SUMMEVAL_COHERENCE = (*("M22", "M23", "M17", "M20", "M12", "M13"), *("M15", "M8", "M14", "M10", "M9", "M11"))
"""The systems by the experts' mean coherence, 4.18 to 2.28 (Fabbri et al. 2021, table 3)."""


def test_ratings_of_summeval_as_choices_give_its_published_ranking(shared):
    data = (shared / "data/summeval/summeval_12systems_annotations.csv.gz").read_bytes()
    columns = {"rated": "expert*_coherence", "system": "model_id", "items": ["id"]}
    choices = rated_choices(data, "summeval.csv.gz", **columns)
    assert len(choices) == 3 * 100 * 66
    found = strengths(choices)
    ranked = sorted(zip(found.strengths, found.systems, strict=True), key=lambda one: -one[0].value)
    assert tuple(name for _, name in ranked) == SUMMEVAL_COHERENCE
    assert all(strength.low < strength.value < strength.high for strength, _ in ranked)
    # Over three experts, only systems far apart are told apart.
    assert ranked[0][0].low < ranked[3][0].high
    assert ranked[-1][0].high < ranked[0][0].low
    assert audit(choices).first.value is None


def test_ratings_become_choices_a_rater_and_two_systems_each():
    table = b"item,system,ada,bo\n1,A,5,3\n1,B,4,3\n1,C,,1\n2,A,1,2\n"
    choices = rated_choices(table, "t.csv", rated="ada,bo", system="system", items=["item"])
    assert choices.chosen.tolist() == [1, 0, 1, 1]
    for wrong in ({"rated": "cy"}, {"system": "model"}, {"items": []}):
        with pytest.raises(InputError, match="has no column"):
            rated_choices(table, "t.csv", **{"rated": "ada", "system": "system", "items": ["item"], **wrong})
    with pytest.raises(InputError, match="'good' in the column 'ada'"):
        rated_choices(table.replace(b"5", b"good"), "t.csv", rated="ada", system="system", items=["item"])


def drawn_rows(count, true, *, ties=0.1, seed=0):
    """Choices by people who follow the model."""
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


def real_choices(shared, most):
    parts = [
        read_choices(
            (shared / MARKUP.format(day)).read_bytes(),
            "markup.tsv",
            left="left_url",
            right="right_url",
            answer="quality",
            outlets=True,
        )
        for day in (25, 27, 29)
    ]
    whole = joined(parts)
    assert (len(whole), whole.neither, whole.left_out) == (9_953, 1_335, 52)
    return whole.among(most)


def test_strengths_are_those_of_a_second_computation():
    choices = make_choices(drawn_rows(400, (1.0, 0.3, -0.2, -1.1)))
    found = strengths(choices)
    again = likeliest(choices)
    for name, figure in zip(found.systems, found.strengths, strict=True):
        assert figure.value == pytest.approx(again[name], abs=1e-4)
    assert found.systems == tuple(sorted(again, key=lambda name: -again[name]))


@pytest.mark.slow
def test_judges_who_favour_different_systems_give_few_false_alarms():
    judges, rng = 5, np.random.default_rng(5)
    alarms = 0
    for _ in range(300):
        taste, quality = rng.normal(0, 0.7, (judges, 3)), rng.normal(0, 0.7, (30, 3))
        worth = taste[:, None, :] + quality[None, :, :]
        rows = [
            (
                f"s{one}",
                f"s{other}",
                FIRST if rng.logistic() < worth[judge, item, one] - worth[judge, item, other] else SECOND,
                str(item),
                str(judge),
            )
            for judge in range(judges)
            for item in range(30)
            for one, other in [rng.permutation(3)[:2].tolist()]
        ]
        found = strengths(make_choices(rows))
        first = found.strengths[found.systems.index("s0")]
        alarms += not first.low <= 0 <= first.high
    assert alarms / 300 <= 0.08


def test_real_choices_rank_outlets_as_a_second_computation_does(shared):
    choices = real_choices(shared, 10)
    found = strengths(choices)
    again = likeliest(choices)
    assert found.systems == tuple(sorted(again, key=lambda name: -again[name]))
    assert (found.systems[0], found.systems[-1]) == ("tass.ru", "news.rambler.ru")
    assert found.strengths[0].value == pytest.approx(1.617, abs=1e-3)
    assert found.strengths[0].interval == pytest.approx((1.206, 2.029), abs=2e-3)


def test_a_system_that_never_lost_has_no_strength():
    rows = [("A", "B", FIRST, str(item), "") for item in range(12)]
    rows += [("B", "C", FIRST if item % 2 else SECOND, f"c{item}", "") for item in range(12)]
    found = strengths(make_choices(rows))
    by_name = dict(zip(found.systems, found.strengths, strict=True))
    assert by_name["A"].reason == UNBEATEN
    assert by_name["B"].value == pytest.approx(0)
    alone = strengths(make_choices(rows[:12]))
    assert [one.value for one in alone.strengths] == [None, None]
    assert UNBEATEN in as_text(strengths_table(make_choices(rows[:12])))


def test_few_items_never_give_an_interval_without_a_warning():
    # Thirty choices, but about six items only.
    rows = [
        (f"s{at}", f"s{other}", FIRST if (item + at) % 3 else SECOND, str(item), "")
        for item in range(6)
        for at, other in ((0, 1), (1, 2), (2, 0), (0, 2), (1, 0))
    ]
    choices = make_choices(rows)
    found, audited = strengths(choices), audit(choices)
    assert all(figure.warning.startswith("Too few items") for figure in (*found.strengths, audited.first))
    table = strengths_table(choices)
    assert "† Too few items for a reliable interval (6; it takes at least 10)." in as_text(table)
    assert as_csv(table).count("Too few items") == 3


def test_a_favoured_place_is_found():
    rng = np.random.default_rng(0)
    rows = [
        (*(("A", "B") if at % 2 else ("B", "A")), FIRST if rng.random() < 0.75 else SECOND, str(at), "")
        for at in range(200)
    ]
    choices = make_choices(rows)
    assert audit(choices).first.low > 0.6
    table = strengths_table(choices)
    assert any("took the headline shown first, so the place mattered." in note for note in table.notes)


def test_circles_are_counted_among_systems_and_in_one_judges_choices():
    ring = [*pairwise("ABC"), ("C", "A")]
    rows = [(one, other, FIRST, "1", "Ada") for one, other in ring]
    rows += [("A", "B", FIRST, "1", "Bo"), ("B", "C", FIRST, "1", "Bo"), ("C", "A", SECOND, "1", "Bo")]
    rows += [("A", "B", FIRST, "2", "Bo"), ("B", "C", TIE, "2", "Bo"), ("C", "A", FIRST, "2", "Bo")]
    found = audit(make_choices(rows))
    assert (found.triples, found.circles, found.circular) == (1, 1, (("A", "B", "C"),))
    assert (found.own_triples, found.own_circles) == (2, 1)
    assert audit(make_choices(rows[3:6])).circles == 0


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
