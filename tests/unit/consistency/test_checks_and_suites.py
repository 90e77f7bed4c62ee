import datetime

import numpy as np
import pytest

from core.consistency.checks import check
from core.consistency.checks.invariant import rewritten
from core.consistency.score_matrix import score_matrix
from core.consistency.studies import scoring, suite
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.runtime import Runtime
from core.text.names import learn_names
from core.text.numerals.quantities import read_quantities

DAY = datetime.date(2024, 5, 30)
TEXTS = (
    "Crew of three returns to Earth after alarm on Monday",
    "NASA: 1,000 people evacuated as 'toxic leak' reported in Russia",
    "Senate will vote on $3 million bill, says Smith",
    "Markets rise 5% as the US bank raises rates in London",
    "Storm kills 12 in Texas",
    "Nothing",
)


def given():
    pairs = [(row, (row + 1) % len(TEXTS)) for row in range(len(TEXTS))]
    return check.Material([check.DatedHeadline(text, DAY) for text in TEXTS], pairs, learn_names(TEXTS))


def changes(name, text, date=DAY):
    family = check.checks.parse(name)
    made = [
        family.change(check.DatedHeadline(text, date), given(), np.random.default_rng(seed))
        for seed in range(40)
    ]
    return {told.text for told in made if told is not None}


@pytest.mark.parametrize(
    ("name", "before", "wanted"),
    [
        ("punctuation", "Storm kills 12", {"Storm kills 12."}),
        ("case", "Storm kills 12", {"STORM KILLS 12", "Storm Kills 12"}),
        ("source_suffix", "Storm kills 12 - CNN", {"Storm kills 12"}),
        ("number_format", "1,000 flee", {"1000 flee", "1 thousand flee", "one thousand flee"}),
        ("number_format", "Storm of 2013", set()),
        ("publisher_style", "US troops", {"U.S. troops"}),
        ("publisher_style", "Tell us more", set()),
        ("quotation_marks", "'Toxic leak' at Biden's house", {"Toxic leak at Biden's house"}),
        ("negation", "Senate will vote", {"Senate will not vote"}),
        ("negation", "Senate will not vote", {"Senate will vote"}),
        ("negation", "Markets rise", {"Markets fall"}),
        ("negation", "Weekly round-up", set()),
        ("changed_place", "Nothing", set()),
        ("changed_time", "Nothing on the march", set()),
    ],
)  # fmt: skip
def test_changes_by_hand(name, before, wanted):
    assert changes(name, before) == wanted


def test_a_changed_number_reads_as_another_number_in_the_same_form():
    for text in changes("changed_number", "Storm leaves 1,200 homeless"):
        assert text.startswith("Storm leaves ")
        (number,) = read_quantities(text)
        assert 1.5 * 1200 <= number.value <= 3 * 1200 + 1
        assert "," in number.text


def test_a_different_day_is_a_month_later_at_least_and_needs_a_date():
    family = check.checks.parse("different_day")
    moved = family.change(check.DatedHeadline("Markets rise", DAY), given(), np.random.default_rng(0))
    assert moved.text == "Markets rise"
    assert 30 <= (moved.date - DAY).days <= 60
    assert changes("different_day", "Markets rise", None) == set()


@pytest.mark.parametrize("text", ["1,000", "one thousand", "twelve", "5 percent", "$3 million"])
def test_numbers_rewritten_read_back_as_the_same_value(text):
    (number,) = read_quantities(f"about {text} of")
    ways = rewritten(number)
    assert ways
    for way in ways:
        (read,) = read_quantities(f"about {way} of")
        assert (read.value, read.kind) == (number.value, number.kind)
        assert way != text


@pytest.mark.parametrize("name", check.checks.names())
def test_cases_are_what_their_kind_asks_for(name):
    kind = check.checks.parse(name).kind
    found = check.make_cases(name, given(), most=4, seed=1)
    assert found == check.make_cases(name, given(), most=4, seed=1)
    assert 0 < len(found) <= 4
    for case in found:
        assert case.check == name
        if kind is check.CheckKind.INVARIANT:
            assert case.expected is check.Expected.UNCHANGED
            assert case.original_a in TEXTS
            assert case.b == case.original_b
            assert case.a != case.original_a
        else:
            assert case.expected is check.Expected.DIFFERENT
            assert (case.a, case.date_a) != (case.b, case.date_b)
            assert case.original_a == case.original_b == ""
    assert check.make_cases(name, check.Material([], [], frozenset()), most=4) == []


def test_one_score_a_pair_is_that_of_the_earlier_row_first():
    scores = score_matrix([[0, 0.9, 0.2], [0.1, 0, 0.6], [0.7, 0.4, 0]], 0.5)
    np.testing.assert_allclose(scores.listed, [[0, 0.9, 0.2], [0.9, 0, 0.6], [0.2, 0.6, 0]])
    assert scores.links.tolist() == [[False, True, False], [True, False, True], [False, True, False]]
    assert scores.pairs == 3


@pytest.mark.slow
def test_the_shipped_scores_are_those_of_the_scorer(monkeypatch):
    subject = subject_of_timeline(load_sample())
    shipped = score_both_orders(subject, Scoring(), Runtime())
    monkeypatch.setattr(scoring, "shipped_scores", lambda _: None)
    again = score_both_orders(subject, Scoring(), Runtime(half=False))
    assert np.allclose(shipped.scores.probabilities, again.scores.probabilities, atol=1e-3)
    assert shipped.signature == again.signature


CASES = [
    check.Case("suffix", "A b - CNN", "A c", DAY, None, check.Expected.UNCHANGED, "A b", "A c"),
    check.Case("mine", "=1+1", '+x, "y"', None, None, check.Expected.SAME),
    check.Case("mine", "A b", "A 'b'", None, DAY, check.Expected.DIFFERENT),
]


@pytest.mark.parametrize("name", ["suite.csv", "suite.json"])
def test_a_suite_is_read_as_it_was_written(name):
    assert suite.read_suite(suite.write_suite(CASES, name), name) == CASES


def test_formulas_are_kept_from_running():
    assert b"'=1+1" in suite.write_suite(CASES, "suite.csv")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("check,a,b\nx,A,B\n", "no column 'expected'"),
        ("check,a,b,expected\nx,A,,same\n", "Case 1 of the suite has no b"),
        ("check,a,b,expected\nx,A,B,same\nx,A,B,equal\n", "Case 2 of the suite expects 'equal'"),
        ("check,a,b,expected\nx,A,B,unchanged\n", "original pair"),
        ("check,a,b,expected,original_a,original_b\nx,A,B,same,A,B\n", "original pair"),
        ("check,a,b,expected,date_a\nx,A,B,same,31.5.2024\n", "no date"),
    ],
)
def test_a_bad_row_is_one_sentence(text, match):
    with pytest.raises(InputError, match=match):
        suite.read_suite(text.encode(), "suite.csv")


def test_failures_are_counted_check_by_check():
    table = {("A b - CNN", "A c"): 0.4, ("A b", "A c"): 0.6, ("=1+1", '+x, "y"'): 0.9, ("A b", "A 'b'"): 0.8}

    def score(pairs):
        return np.array([table[a, b] for a, b, _, _ in pairs], dtype=np.float32)

    suffix, mine = suite.run_suite(CASES, score, 0.5)
    assert (suffix.check, suffix.cases, suffix.failure_rate) == ("suffix", 1, 1.0)
    assert suffix.failures[0].original_score == pytest.approx(0.6)
    assert (mine.cases, mine.failure_rate) == (2, 0.5)
    assert mine.failures[0].case is CASES[2]
    assert mine.failures[0].original_score is None
