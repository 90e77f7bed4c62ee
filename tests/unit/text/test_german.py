"""German common nouns and names, which both have capitals."""

from __future__ import annotations

import pytest

from core.text.german import is_common_noun


@pytest.mark.parametrize(
    "word", ["Hochwasser", "Tote", "Menschen", "Häuser", "Füße", "Fernzüge", "Flutopfern", "Klimaaktivisten"]
)
def test_nouns_their_forms_and_compounds_are_common(word: str) -> None:
    assert is_common_noun(word)


@pytest.mark.parametrize("word", ["", "Söder", "Passau", "Bayern", "Hamburg", "Frankreich", "a" * 100_000])
def test_names_and_what_is_no_word_are_not(word: str) -> None:
    assert not is_common_noun(word)
