import csv
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from scipy import sparse

from core.errors import UnknownNameError
from core.files import ROOT
from core.groups.card import Apart, card
from core.groups.summary import GroupedHeadlines, summarize_groups
from core.similarities import Similarities
from core.text.timeline_reading import TimelineReading
from core.text.tokens import content, tokenize

ISS = ROOT / "samples" / "iss" / "iss_excerpt.csv"


def by_words(texts, days):
    """Jaccard overlap of content words, decayed over four days: enough for a test."""
    sets = [{t.form for t in content(tokenize(text))} for text in texts]
    overlap = [[len(a & b) / max(1, len(a | b)) for b in sets] for a in sets]
    decay = np.exp(-np.abs(days[:, None] - days[None, :]) / 4)
    return Similarities((np.array(overlap) * decay).astype(np.float32))


@pytest.fixture(scope="module")
def iss():
    with ISS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    texts = [row["headline"] for row in rows]
    days = np.array([date.fromisoformat(row["date"]).toordinal() for row in rows], dtype=float)
    labels = np.array([int(row["group"]) for row in rows])
    return GroupedHeadlines(
        by_words(texts, days), labels, TimelineReading(texts), days, [row["publisher"] for row in rows]
    )


def small(labels, texts, days, matrix):
    return GroupedHeadlines(
        Similarities(np.array(matrix, dtype=np.float32)),
        np.array(labels),
        TimelineReading(texts),
        np.array(days),
        [None if i == 0 else f"p{i % 2}" for i in range(len(texts))],
    )


def test_representatives_are_medoids(iss):
    matrix = iss.similarities.matrix
    for line in summarize_groups(iss):
        rows = list(line.rows)
        means = {row: sum(matrix[row, other] for other in rows if other != row) for row in rows}
        assert means[line.representative] == pytest.approx(max(means.values()), abs=1e-4)


def test_a_card_alone_has_the_line_of_the_list_and_the_nearest_others(iss):
    matrix = iss.similarities.matrix
    for line in summarize_groups(iss):
        found = card(iss, line.group, granularity=0.6)
        assert found.summary == line
        inside = np.flatnonzero(iss.labels == line.group)
        others = [np.flatnonzero(iss.labels == group) for group in set(iss.labels.tolist()) - {line.group}]
        nearest = max(float(matrix[np.ix_(inside, other)].mean()) for other in others)
        assert found.groups[0].similarity == pytest.approx(nearest, abs=1e-6)
        assert found.groups[0].gap == pytest.approx(0.4 - nearest, abs=1e-6)


def test_a_card_compares_all_with_the_representative(iss):
    found = card(iss, 10, granularity=0.7, nearest=3)
    rows = found.summary.rows
    assert [row for row, _ in found.differences] == [
        row for row in rows if row != found.summary.representative
    ]
    assert all(
        "Nasa" in "".join(d.shared_names).title() or "NASA" in d.shared_names for _, d in found.differences
    )
    assert len(found.groups) == len(found.headlines) == 3
    assert all(iss.labels[each.row] == each.group != 10 for each in (*found.groups, *found.headlines))


@pytest.mark.parametrize(
    ("left", "right", "days", "reason"),
    [
        ("Quake kills 12 in Italy", "Quake in Italy: 14 dead", [0.0, 9.0], Apart.NUMBERS),
        ("Fed raises rates again", "Fed cuts rates again", [0.0, 0.0], Apart.OPPOSED),
        ("Rocket brings crew home", "Rocket brings crew home", [0.0, 9.0], Apart.TIME),
        ("Rocket brings crew home", "Astronauts return to Earth", [0.0, 1.0], Apart.WORDS),
        ("Rocket brings crew home", "Rocket brings crew home", [0.0, np.nan], Apart.CLOSE),
    ],
)
def test_reasons_why_a_neighbour_is_apart(left, right, days, reason):
    grouped = small([0, 1], [left, right], days, [[1, 0.2], [0.2, 1]])
    found = card(grouped, 0, granularity=0.5).groups[0]
    assert found.reason is reason
    assert found.gap == pytest.approx(0.3)


def test_close_enough_but_apart():
    grouped = small([0, 1], ["Crew home", "Crew home"], [0.0, 0.0], [[1, 0.9], [0.9, 1]])
    assert card(grouped, 0, granularity=0.5).groups[0].reason is Apart.THRESHOLD
    assert card(grouped, 0).groups[0].gap is None


def test_ties_go_to_the_earliest_then_the_shortest():
    half = [[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]]
    texts = ["Crew is home", "Crew back home", "Crew home"]
    assert summarize_groups(small([4, 4, 4], texts, [3.0, 2.0, 3.0], half))[0].representative == 1
    assert summarize_groups(small([4, 4, 4], texts, [3.0, 3.0, 3.0], half))[0].representative == 2
    assert summarize_groups(small([4, 4, 4], texts, [np.nan, 3.0, np.nan], half))[0].representative == 1


def copied(matrix, copy_of, days):
    texts = [f"Report {number}" for number in copy_of]
    return replace(small([4] * len(texts), texts, days, matrix), copy_of=np.array(copy_of))


COPIES = [
    # Three copies of one text are near to each other; rows 3 and 4 are near to row 5.
    [1.0, 1.0, 1.0, 0.2, 0.2, 0.2],
    [1.0, 1.0, 1.0, 0.2, 0.2, 0.2],
    [1.0, 1.0, 1.0, 0.2, 0.2, 0.2],
    [0.2, 0.2, 0.2, 1.0, 0.4, 0.6],
    [0.2, 0.2, 0.2, 0.4, 1.0, 0.6],
    [0.2, 0.2, 0.2, 0.6, 0.6, 1.0],
]


@pytest.mark.parametrize("stored", ["dense", "sparse"])
def test_copies_are_one_report_and_do_not_lead_the_title(stored):
    grouped = copied(COPIES, [0, 0, 0, 3, 4, 5], [2.0, 1.0, np.nan, 3.0, 4.0, 5.0])
    if stored == "sparse":
        matrix = sparse.csr_matrix(np.array(COPIES, dtype=np.float32))
        grouped = replace(grouped, similarities=Similarities(matrix))
    (line,) = summarize_groups(grouped)
    assert line.size == 6
    assert line.reports == ((1, 0, 2), (3,), (4,), (5,))
    assert line.publishers == ("p1", "p0")
    assert line.representative == 5
    assert (line.copies(1), line.copies(0), line.copies(3)) == ((0, 2), (), ())
    assert summarize_groups(replace(grouped, copy_of=None))[0].representative == 1
    found = card(grouped, 4)
    assert found.summary == line
    assert [row for row, _ in found.differences] == [1, 3, 4]


def test_dates_may_be_unknown():
    line = summarize_groups(small([0, 0], ["a", "b"], [np.nan, np.nan], [[1, 0.5], [0.5, 1]]))[0]
    assert (line.first, line.last) == (None, None)
    line = summarize_groups(small([0, 0], ["a", "b"], [np.nan, 2.0], [[1, 0.5], [0.5, 1]]))[0]
    assert (line.rows, line.first, line.last) == ((1, 0), 1, 1)
    assert line.publishers == ("p1",)


def test_one_headline_has_no_neighbours():
    found = card(small([3], ["Crew home"], [1.0], [[1]]), 3)
    assert (found.differences, found.groups, found.headlines) == ((), (), ())
    with pytest.raises(UnknownNameError, match="no group 99"):
        card(small([3], ["Crew home"], [1.0], [[1]]), 99)


def test_words_of_another_language_are_no_added_detail():
    """Between languages numbers and names are compared, words within one alone."""
    texts = [
        "Ferry sinks off the coast with 30 people aboard",
        "A ferry with 30 people aboard sinks near the harbour",
        "Ein Schiff mit 30 Menschen ist vor der Küste untergegangen",
        "Ein Schiff mit 40 Menschen ist vor der Küste von Malta untergegangen",
    ]
    differences = card(small([0] * 4, texts, np.zeros(4), np.ones((4, 4))), 0).differences
    added = {
        row: {mark.kind for mark in each.right_marks if "added" in mark.kind} for row, each in differences
    }
    assert added == {1: {"added word"}, 2: set(), 3: {"added name"}}
