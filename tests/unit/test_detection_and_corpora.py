"""Detection tasks against counts by hand; means of corpora against their parts."""

import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.runtime import Runtime
from research.benchmark import corpora, detection

LINES = (
    "2024-05-01,Storm closes two airports,a",
    "2024-05-02,Storm closes two airports now,a",
    "2024-05-02,Parliament votes on budget,b",
    "2024-05-03,Parliament votes on budget today,b",
    "2024-05-04,Storm closes two schools,c",
)


def timeline(lines=LINES, header="when,title,gold_group"):
    return load("\n".join((header, *lines, "")).encode(), "news.csv")


@pytest.fixture(scope="module")
def curves():
    return {each.task: each for each in detection.measure_detection(timeline(), "levenshtein", Runtime())}


def test_targets_of_each_task_are_counted_in_order_of_time(curves):
    counts = {task: (curve.targets, curve.others) for task, curve in curves.items()}
    assert counts[detection.LINK] == (2, 8)
    assert counts[detection.FIRST] == (2, 2)  # the first headline of all is no trial
    assert counts[detection.TRACKING] == (
        2,
        4,
    )  # three events, each against what came after its first headline


def test_misses_and_alarms_are_those_of_counting_by_hand(curves):
    from Levenshtein import ratio

    texts, gold = [line.split(",")[1] for line in LINES], [line[-1] for line in LINES]
    curve, at = curves[detection.LINK], 700
    threshold = curve.thresholds[at]
    pairs = [(left, right) for right in range(5) for left in range(right)]
    said = [ratio(texts[left], texts[right]) >= threshold for left, right in pairs]
    same = [gold[left] == gold[right] for left, right in pairs]
    missed = sum(not yes for yes, true in zip(said, same, strict=True) if true)
    alarms = sum(yes for yes, true in zip(said, same, strict=True) if not true)
    assert (curve.missed[at], curve.alarms[at]) == (missed / 2, alarms / 8)


def test_always_the_same_answer_costs_at_least_what_a_better_one_does(curves):
    for curve in curves.values():
        assert min(curve.costs[0], curve.costs[-1]) >= curve.costs.min()
        assert np.all(np.diff(curve.missed) * (1 if curve.task != detection.FIRST else -1) >= 0)
    assert curves[detection.LINK].costs[0] == pytest.approx(4.9)  # everything is said to be linked


@pytest.mark.parametrize("wrong", ["no gold", "no dates"])
def test_what_cannot_be_measured_is_refused(wrong):
    if wrong == "no gold":
        given = timeline([line[:-2] for line in LINES], "when,title")
    else:
        given = timeline([line[11:] for line in LINES], "title,gold_group")
    with pytest.raises(InputError):
        detection.measure_detection(given, "levenshtein", Runtime())


def test_corpora_are_counted_article_by_article(tmp_path):
    path = tmp_path / "articles.jsonl"
    path.write_text(
        '{"article": "Three people died. It rained on 5 May.", "headline": "Three Dead"}\n'
        '{"article": "Nobody came.", "headline": "None"}\n'
    )
    row = corpora.as_object(corpora.measure_corpora([str(path)], Runtime()))["rows"][0]
    assert (row["articles"], row["sentences"][0]) == (2, 1.5)
    assert row["numbers"][0] > 0.5
    assert row["sentences"][1:] == [None, None]  # two articles allow no interval


def test_outlets_are_ranked_and_the_rest_is_one_row():
    lines = [f"2024-05-0{day},Headline {day},{outlet}" for day, outlet in enumerate("aabbbcde", start=1)]
    table = corpora.outlets(timeline(lines, "when,title,outlet"), most=2)
    assert [row[:2] for row in table.rows] == [("b", 3), ("a", 2), ("3 others", 3)]
    assert sum(row[2] for row in table.rows) == pytest.approx(1.0)
