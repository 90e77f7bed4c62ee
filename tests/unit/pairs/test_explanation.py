"""Which words carry an answer: scores are those of the headlines with the words taken out."""

import pandas as pd
import pytest

from core.errors import InputError
from core.pairs.explanation import explain_pair
from headline_lab import score_pairs

LEFT, RIGHT = "Flood kills 12 in Lindau", "At least 12 dead as flood hits Lindau"
HOW = {"scorer": "token_overlap", "threshold": 0.45}


def without(*taken):
    """The score of the two headlines without some words, named as the table names them."""
    sides = (
        [word for word in text.split() if (word, side) not in taken]
        for text, side in zip((LEFT, RIGHT), "AB", strict=True)
    )
    return score_pairs([tuple(map(" ".join, sides))], **HOW).loc[0, ["score", "same_event"]].tolist()


def test_a_word_counts_what_the_score_loses_without_it_and_curves_take_words_out_in_turn():
    table = explain_pair(LEFT, RIGHT, **HOW)
    words = [row[:2] for row in table.rows]
    assert sorted(words) == sorted(words_of(LEFT, RIGHT))
    alone = [row[2] for row in table.rows]
    assert alone == sorted(alone)  # the answer is "the same": first what it lives on
    for place, row in enumerate(table.rows):
        assert row[2] == pytest.approx(without(row[:2])[0])
        for shown, taken in ((row[3], words[: place + 1]), (row[4], words[place:])):
            score = without(*taken)[0]
            assert shown == (None if pd.isna(score) else pytest.approx(score))


def test_the_smallest_change_turns_the_answer_and_no_smaller_one_does():
    assert "Without" in " ".join(explain_pair(LEFT, RIGHT, scorer="token_overlap", threshold=0.4).notes)
    *_, note = explain_pair(LEFT, RIGHT, **HOW).notes
    turning = [word for word in words_of(LEFT, RIGHT) if without(word)[1] == 0]
    assert len(turning) > 0
    assert any(
        note.startswith(f"Without “{word}” ({side}) it says different events") for word, side in turning
    )
    two = explain_pair(LEFT, RIGHT, scorer="token_overlap", threshold=0.3).notes[1]
    assert two.count("“") == 2
    same = explain_pair("Storm hits Rome", "Storm hits coast", scorer="token_overlap", threshold=0.7).notes
    assert "the same event" in same[1]  # what keeps them apart is taken out
    assert "No words" in explain_pair("Storm", "Bank", scorer="token_overlap").notes[1]


def words_of(*texts):
    return [(word, side) for text, side in zip(texts, "AB", strict=True) for word in text.split()]


def test_days_are_asked_with_the_words_and_what_no_scorer_reads_is_refused():
    how = {"scorer": "with_time|base:levenshtein"}
    near, far = (
        explain_pair(LEFT, RIGHT, days=("2024-05-01", day), **how) for day in ("2024-05-01", "2024-06-30")
    )
    assert near.notes[0] != far.notes[0]
    with pytest.raises(InputError):
        explain_pair(LEFT, " ", scorer="levenshtein")
