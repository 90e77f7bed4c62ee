"""Answers for blanks, by the filler that ships."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.errors import InputError
from core.numerals.checking import recipe_of
from core.numerals.expressions.parse import print_expression
from core.numerals.filling import Filler, load_filler, open_reader
from core.runtime import Runtime

TOWN = (
    "(Aug 12, 2018 10:45 AM CDT) Everyone in the town of Larrimah is under investigation for the "
    "disappearance of Paddy Moriarty, and that means all 11 people. Moriarty, 70, lived across from her "
    "Tea House eatery. "
    "The search has cost $1.4 million in eight months."
)


@pytest.fixture(scope="module")
def filler() -> Filler:
    return load_filler(None, Runtime())


@pytest.mark.parametrize(
    ("headline", "answer", "expression"),
    [
        ("Cops Probe Town of ____ People After Disappearance", "11", "Copy( 11 )"),
        ("Search for Man Has Cost $____M", "1.4", "Copy( 1.4 )"),
        ("Town Searches for Man for ____ Months", "8", "Trans( eight )"),
    ],
)
def test_blanks_are_filled(filler: Filler, headline: str, answer: str, expression: str) -> None:
    (found,) = filler.fill([headline], [TOWN], Runtime())
    assert found.answer == answer
    assert print_expression(found.derivations[0].candidate.expression) == expression
    assert 0 < found.probability <= 1
    assert all(other != answer for other, _ in found.others)
    assert sum(share for _, share in found.others) + found.probability <= 1 + 1e-9


@pytest.mark.parametrize("headline", ["No blank here", "____ of ____ Hurt", ""])
def test_one_blank_is_wanted(filler: Filler, headline: str) -> None:
    with pytest.raises(InputError):
        filler.fill([headline], [TOWN], Runtime())
    (found,) = filler.fill(["____ Hurt"], ["Nobody knows."], Runtime())
    assert (found.answer, found.derivations, found.probability) == ("", (), 0.0)


def test_the_reader_prefers_what_the_article_tells() -> None:
    reader = open_reader(Runtime())
    texts = [f"Cops Probe Town of {n} People After Disappearance" for n in ("11", "70", "8")]
    read = reader.read(TOWN, texts, Runtime())
    assert read.shape == (3,)
    assert int(np.argmax(read)) == 0


def test_the_system_names_what_answers(filler: Filler) -> None:
    assert filler.system.startswith("blend.v1")
    assert re.search(r" \+ smollm2_headlines · weights:[0-9a-f]{16} · numbers:[a-z0-9+]+$", filler.system)
    assert recipe_of(None).folder.is_dir()
