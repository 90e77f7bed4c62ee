"""Headlines and articles have a bound wherever they enter; past it, one sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import limits
from core.consistency.checks.check import read_suite
from core.data.articles.articles import articles_of
from core.data.articles.load import parse_articles
from core.data.articles.outputs import parse_outputs
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines.load import check_pasted, load
from core.errors import InputError
from tests.hostile.sentences import faults

HEADLINE = limits.HEADLINE_CHARACTERS.value
ARTICLES = articles_of("one", ["A storm hit the coast."])


def outputs(text: str, name: str) -> object:
    return parse_outputs(text.encode(), name, ARTICLES)


def pairs(text: str) -> object:
    return parse_pairs(text.encode(), "a.csv").strict()


ENTRANCES: dict[str, tuple[int, Callable[[str], object]]] = {
    "headline of an article": (
        HEADLINE,
        lambda text: parse_articles(f"text,headline\nA storm.,{text}\n".encode(), "a.csv"),
    ),
    "line of a system": (HEADLINE, lambda text: outputs(f"{text}\n", "a.txt")),
    "cell of a system": (HEADLINE, lambda text: outputs(f"headline\n{text}\n", "a.csv")),
    "case": (HEADLINE, lambda text: read_suite(f"check,a,b,expected\nc,{text},b,same\n".encode(), "a.csv")),
    "pair": (
        HEADLINE,
        lambda text: parse_pairs(
            f"headline_a,headline_b,label\n{text},b,1\nc,d,0\n".encode(), "a.csv"
        ).strict(),
    ),
    "headline of a timeline": (HEADLINE, lambda text: load(f"headline\n{text}\n".encode(), "a.csv")),
    "pasted text": (limits.PASTED_CHARACTERS.value, check_pasted),
}


@pytest.mark.parametrize(("most", "enter"), ENTRANCES.values(), ids=list(ENTRANCES))
def test_a_longer_text_is_refused(most: int, enter: Callable[[str], object]) -> None:
    enter("n" * most)
    with pytest.raises(InputError) as refused:
        enter("n" * (most + 1))
    assert faults(refused.value.message, refused.value.hint) == []
