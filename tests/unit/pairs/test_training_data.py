"""Pairs for training: joined sets keep what they are, parts are drawn clean, contradictions go."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.pair_sets.pair_set import check
from core.errors import InputError
from core.parts import Part
from research.training.pairs.data import ready, split
from tests.unit.pairs.pair_worlds import pair_set


def made(pairs, parts=None):
    left, right, labels = np.array(pairs, dtype=np.int64).T
    texts = [f"made headline {row}" for row in range(max(left.max(), right.max()) + 1)]
    return check(pair_set(texts, left, right, labels, **({"parts": np.array(parts)} if parts else {})))


def shown(pairs):
    return {
        (pairs.texts[left], pairs.texts[right], label, part)
        for left, right, label, part in zip(
            pairs.left.tolist(), pairs.right.tolist(), pairs.labels.tolist(), pairs.pair_parts, strict=True
        )
    }


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 14), st.integers(0, 14), st.integers(0, 1)).filter(lambda p: p[0] != p[1]),
        min_size=1,
        max_size=60,
    )
)
def test_a_drawn_part_never_shares_a_headline_or_an_event(pairs):
    given_set = made(pairs)
    drawn = check(split(given_set))
    assert shown(drawn) <= {
        (left, right, label, part) for left, right, label, _ in shown(given_set) for part in Part
    }
    kept = set(zip(drawn.left.tolist(), drawn.right.tolist(), drawn.labels.tolist(), strict=True))
    for pair in pairs:
        same_part = drawn.parts[pair[0]] == drawn.parts[pair[1]]
        assert (pair in kept) == same_part
        assert same_part or pair[2] == 0, "what is the same event stays together"


def test_what_is_left_out_is_said():
    pairs = [(0, 1, 1), (1, 0, 0), (2, 3, 1), (4, 5, 0), (6, 7, -1), (8, 9, 1), (8, 9, 1)]
    parts = ["train"] * 8 + ["validation"] * 2
    kept, notes = ready([made(pairs, parts=parts)])
    assert shown(kept) == {
        ("made headline 2", "made headline 3", 1, "train"),
        ("made headline 4", "made headline 5", 0, "train"),
        ("made headline 8", "made headline 9", 1, "validation"),
    }
    assert notes == (
        "2 pairs of made labelled both 1 and 0 were left out.",
        "1 pairs of made without a label were left out.",
    )


def test_the_test_part_is_never_handed_on():
    pairs = [(0, 1, 1), (2, 3, 0), (4, 5, 1), (6, 7, 0)]
    kept, _ = ready([made(pairs, parts=["train"] * 4 + ["test"] * 2 + ["validation"] * 2)])
    assert set(kept.parts.tolist()) == {"train", "validation"}
    assert "made headline 4" not in kept.texts


@pytest.mark.parametrize(
    ("pairs", "parts", "sentence"),
    [
        ([(0, 1, 1)], ["test"] * 2, "no training pairs"),
        ([(0, 1, -1)], ["train"] * 2, "no training pairs"),
        ([(0, 1, 1), (2, 3, 1), (4, 5, 0)], ["train"] * 4 + ["validation"] * 2, "are the same event"),
        ([(0, 1, 0), (2, 3, 1)], ["train"] * 2 + ["validation"] * 2, "different events"),
    ],
)
def test_nothing_to_learn_is_a_sentence(pairs, parts, sentence):
    with pytest.raises(InputError, match=sentence):
        ready([made(pairs, parts=parts)])
