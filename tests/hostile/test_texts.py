"""Texts that are nearly headlines: each is read without an error that is none of the program's own."""

from tests.hostile import texts


def test_texts_are_read():
    counts, faults = texts.fuzz(0, 1_000)  # by hand: python -m tests.hostile.texts --seeds 0 10
    assert set(counts) == set(texts.LANGUAGES)
    assert faults == []
