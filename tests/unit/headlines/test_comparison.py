from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.comparison import compare as compare_module
from core.headlines.comparison.agreement import agreements, as_lines
from core.headlines.comparison.compare import compare, statistics_of
from core.headlines.comparison.duels import duels, duels_of_column
from core.headlines.comparison.reading import read_files
from core.headlines.comparison.table import comparison_table, in_order, main_place
from core.headlines.comparison.written_table import comparison_as_text
from core.headlines.metrics import headline_metrics
from core.runtime import Runtime
from core.statistics.bootstrap import enough_resamples, interval

REFERENCES = (
    "3 Dead in Quarry Shooting", "Bank Cuts Rates Again", "Rover Finds Water on Mars",
    "Team Wins 4th Title in 5 Years", "Storm Leaves 20,000 Without Power", "Actor, 81, Leaves Hospital",
)  # fmt: skip
TEXTS = tuple(
    f"{line}, said officials on Monday. " + "More is known. " * row for row, line in enumerate(REFERENCES)
)
GOOD = (
    "3 Dead in Quarry", "Bank Cuts Rates", "Water Found on Mars", "Team Wins Title", "Storm Cuts Power",
    "Actor Home",
)  # fmt: skip
POOR = (
    "Officials Speak", "Bank News", "Rover", "4th Title in 5 Years", "Monday", "Actor Leaves Hospital, 81",
)  # fmt: skip


def articles():
    return articles_of("six", TEXTS, references=[(line,) for line in REFERENCES])


def outputs(**systems):
    given = systems or {"good": GOOD, "poor": POOR}
    return [Outputs(system=name, headlines=lines, source=f"{name}.txt") for name, lines in given.items()]


@pytest.fixture
def compared(tmp_path):
    return compare(articles(), outputs(), ["rouge"], Runtime(cache=tmp_path))


def test_headlines_of_another_script_count_in_an_english_comparison_too(tmp_path):
    lines = ("Центробанк повысил ставку", "央行上调基准利率", *REFERENCES[2:])
    given = articles_of("six", lines, references=[(line,) for line in lines])
    same = compare(given, outputs(same=lines), ["rouge", "bleu"], Runtime(cache=tmp_path), language="en")
    assert (same.scores("rouge1") == 1).all()
    assert same.scores("bleu") == pytest.approx(100 * np.ones((1, 6)))


@pytest.mark.parametrize(
    ("headlines", "texts", "language"),
    [
        (
            ("央行上调基准利率", "渡轮搁浅"),
            ("央行周二将基准利率上调至百分之四点五。", "四十名乘客在渡轮上获救。"),
            "zh",
        ),
        (
            ("Bank lifts rates", "Ferry aground"),
            ("Die Zentralbank hebt am Mittwoch die Zinsen.",) * 2,
            "mixed",
        ),
        (("Up", "Ok"), ("", ""), "en"),
    ],
)
def test_the_language_is_that_of_articles_and_headlines_together(headlines, texts, language):
    given = articles_of("two", texts, references=[(line,) for line in headlines])
    assert compare_module.find_language(given) == language


def test_intervals_are_those_of_resampled_means(compared):
    scores = compared.scores("rouge1")[0]
    draws = np.random.default_rng(0).integers(0, 6, size=(compared.resamples, 6))
    entry = comparison_table(compared).entries[0][0]
    assert (entry.low, entry.high) == pytest.approx(interval(scores[draws].mean(axis=1)))
    assert entry.count == 6


def test_no_interval_depends_on_what_else_is_measured(compared, tmp_path):
    more = compare(articles(), outputs(), ["chrf", "novelty", "rouge"], Runtime(cache=tmp_path))
    every = [headline_metrics.parse(name).columns for name in headline_metrics.names()]
    assert more.resamples == compared.resamples == enough_resamples(max(50, sum(map(len, every))))
    alone, among = (
        next(place for place in each.places if place.key == "rouge1") for each in (compared, more)
    )
    column, same = compared.measured[alone.metric].resampled, more.measured[among.metric].resampled
    assert np.array_equal(column[..., alone.at], same[..., among.at])


def test_the_best_of_each_column_is_marked_and_tested(compared, tmp_path):
    found = comparison_table(compared, against="poor")
    assert [found.best(at) for at in range(4)] == [entry.value for entry in found.entries[0]]
    assert all(entry.p is None for row in found.entries for entry in row)
    assert "*" not in comparison_as_text(compared, found)
    assert "Nothing is tested against poor: that takes at least 10 articles." in comparison_as_text(
        compared, found
    )
    twice = articles_of("twelve", TEXTS * 2, references=[(line,) for line in REFERENCES * 2])
    enough = compare(twice, outputs(good=GOOD * 2, poor=POOR * 2), ["rouge"], Runtime(cache=tmp_path))
    found = comparison_table(enough, against="poor")
    assert all(entry.p is not None and 0 < entry.p <= 1 for entry in found.entries[0])
    assert all(entry.p is None for entry in found.entries[1])


def test_the_same_seed_gives_the_same_and_another_does_not(tmp_path):
    runtime = Runtime(cache=tmp_path)
    one, again = (compare(articles(), outputs(), ["rouge"], runtime) for _ in range(2))
    other = compare(articles(), outputs(), ["rouge"], replace(runtime, seed=1))
    assert comparison_table(one) == comparison_table(again)
    assert one.fingerprint == again.fingerprint != other.fingerprint
    assert not np.array_equal(one.measured[0].resampled, other.measured[0].resampled)


def test_intervals_over_few_articles_carry_a_warning_in_every_form(compared):
    from core.headlines.comparison.exports import as_json
    from core.headlines.comparison.report import report_html
    from core.headlines.comparison.written_table import as_csv, as_latex

    found = comparison_table(compared)
    told = "Too few articles for a reliable interval (6; it takes at least 10)."
    for form in (comparison_as_text, as_csv, as_latex, as_json):
        assert told in form(compared, found)
    assert told in report_html(compared, found).decode()
    assert "] †" in comparison_as_text(compared, found)
    assert r"]$^\dagger$" in as_latex(compared, found)
    assert {one.difference.warning for one in duels(compared, "good", "poor")} == {told}


def test_an_event_is_drawn_as_one(tmp_path):
    grouped = replace(articles(), clusters=("a", "a", "b", "b", "c", "c"))
    found = compare(grouped, outputs(), ["rouge"], Runtime(cache=tmp_path))
    assert found.resampled_units == "events"
    scores = found.scores("rouge1")[0].reshape(3, 2).sum(axis=1)
    draws = np.random.default_rng(0).integers(0, 3, size=(found.resamples, 3))
    assert found.measured[0].resampled[:, 0, 0] == pytest.approx(scores[draws].sum(axis=1) / 6)


def test_wins_are_counted_by_the_better_end_of_the_score(tmp_path):
    clean = tuple(f"Quarry Number {row} Shuts" for row in range(6))
    systems = outputs(clean=clean, twice=("Bus Bus Bus", "Bus Bus", *clean[2:]))
    found = compare(articles(), systems, ["duplication", "rouge", "novelty"], Runtime(cache=tmp_path))
    scores = {one.key: one for one in duels(found, "clean", "twice")}
    lower = scores["repeated_words"]
    assert lower.difference.value < 0
    assert (lower.wins, lower.ties, lower.losses) == (2, 4, 0)
    rouge = found.scores("rouge1")
    higher = scores["rouge1"]
    assert (higher.wins, higher.losses) == (
        int((rouge[0] > rouge[1]).sum()),
        int((rouge[0] < rouge[1]).sum()),
    )
    assert scores["novel_words"].wins is None


def test_the_best_of_a_score_stands_at_its_better_end(tmp_path):
    systems = outputs(good=("One Plain Title",) * 6, bad=("Bus Bus Bus",) * 6)
    found = compare(articles(), systems, ["duplication"], Runtime(cache=tmp_path))
    at = [place.key for place in found.places].index("repeated_words")
    assert [row[at].value == comparison_table(found).best(at) for row in comparison_table(found).entries] == [
        True,
        False,
    ]


def test_the_test_sees_a_large_difference_and_none_where_there_is_none(tmp_path):
    lines = [f"{number} Dead in Quarry Shooting near Town {number}" for number in range(40)]
    many = articles_of("many", lines, references=[(line,) for line in lines])
    halves = tuple(line if row % 2 else "Dead in Quarry" for row, line in enumerate(lines))
    systems = outputs(same=tuple(lines), half=halves, twin=halves, other=("No News",) * 40)
    found = compare(many, systems, ["rouge"], Runtime(cache=tmp_path))
    pairs = {(duel.system, duel.other): duel for duel in duels_of_column(found, "rouge1")}
    assert pairs["same", "other"].corrected < 0.01
    assert pairs["half", "twin"].corrected == 1.0
    assert {one.family for one in pairs.values()} == {6}


@pytest.mark.parametrize("reasons", [("", "It lacks a file."), ("It lacks a file.", "It lacks memory.")])
def test_a_fingerprint_says_which_metrics_could_not_run(tmp_path, monkeypatch, reasons):
    def measured(reason):
        def statistics(signature, *given, **more):
            if reason and signature.startswith("rouge"):
                raise InputError(reason, hint="")
            return statistics_of(signature, *given, **more)

        monkeypatch.setattr(compare_module, "statistics_of", statistics)
        return compare(articles(), outputs(), ["rouge", "bleu"], Runtime(cache=tmp_path)).fingerprint

    first, second = map(measured, reasons)
    assert first == measured(reasons[0])
    assert first != second


CASES = Path(__file__).parents[2] / "data/cases"


def test_what_tells_no_system_apart_leads_nowhere(tmp_path):
    read, written = read_files([CASES / "systems_long_no_articles.csv"], articles="")
    compared = compare(read, written, ["compression", "duplication"], Runtime(cache=tmp_path))
    assert main_place(compared) is None
    first, *_, last = in_order(compared)
    assert len(np.unique(compared.measured[first.metric].values[:, first.at])) > 1
    assert (compared.measured[last.metric].values[:, last.at] == 0).all()


def test_published_scores_are_compared_with_ours_headline_by_headline(compared, tmp_path):
    ours = compared.scores("rougeL")[0]
    published = np.where(np.arange(6) < 2, ours, np.clip(ours - 0.25, 0, 1))
    published[5] = np.nan
    systems = [replace(outputs()[0], published={"rougeL": tuple(published), "vibes": (1.0,) * 6})]
    known, unknown = agreements(compare(articles(), systems, ["rouge"], Runtime(cache=tmp_path)), Runtime())
    assert (known.headlines, known.equal, known.largest) == (5, 2, pytest.approx(0.25))
    assert (known.published, known.ours) == pytest.approx((published[:5].mean(), ours[:5].mean()))
    assert known.correlation == pytest.approx(np.corrcoef(published[:5], ours[:5])[0, 1])
    assert "equal on 2 of 5" in as_lines([known])[0]
    assert (unknown.ours, unknown.headlines, unknown.published) == (None, 6, 1.0)
