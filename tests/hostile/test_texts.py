"""Texts that are nearly headlines: each is read without an error that is none of the program's own."""

from tests.hostile import texts


def test_ten_thousand_texts_are_read():
    counts, faults = texts.fuzz(0)
    assert set(counts) == set(texts.LANGUAGES)
    assert faults == []
