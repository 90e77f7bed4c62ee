"""Tables of the words that are exchanged to make headlines wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

WRONG_BOUNDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "more": ("less", "near", "most"),
        "less": ("more", "least"),
        "near": ("more", "least"),
        "least": ("most", "less", "near"),
        "most": ("least", "more"),
    }
)
"""Bounds that contradict one: nearly 20,000 are not more than 20,000."""


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWords:
    """The tables, all in lower case.

    Attributes:
        flips: Opposites of a word.
        axes: Rows of `flips` that a word stands in, each with its side (0 or 1).
        units: Forms of a unit as (block, unit, form), so that other units of the block have the same form.
        blocks: Forms by block, unit and form.
        bounds: Phrases of each kind of bound.
        bound_of: Kind of a phrase.
    """

    flips: Mapping[str, tuple[str, ...]]
    axes: Mapping[str, tuple[tuple[int, int], ...]]
    units: Mapping[str, tuple[tuple[int, int, int], ...]]
    blocks: tuple[tuple[tuple[str, ...], ...], ...]
    bounds: Mapping[str, tuple[str, ...]]
    bound_of: Mapping[str, str]


@lru_cache(maxsize=1)
def claim_words() -> ClaimWords:
    """The tables of claim_words.toml."""
    with (Path(__file__).parent / "claim_words.toml").open("rb") as file:
        table = tomllib.load(file)
    flips: dict[str, list[str]] = {}
    axes: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(table["flips"].strip().splitlines()):
        sides = [side.split() for side in line.split("|")]
        for at, words in enumerate(sides):
            for word in words:
                flips.setdefault(word, []).extend(sides[1 - at])
                axes.setdefault(word, []).append((row, at))
    blocks = tuple(
        tuple(tuple(form.replace("-", " ") for form in line.split()) for line in block.splitlines())
        for block in table["units"].strip().split("\n\n")
    )
    units: dict[str, list[tuple[int, int, int]]] = {}
    for b, block in enumerate(blocks):
        for u, forms in enumerate(block):
            # The plural before the singular: a word that is both stands mostly behind a number.
            for f in (2, 1, 0):
                places = units.setdefault(forms[f], [])
                if (b, u) not in [place[:2] for place in places]:
                    places.append((b, u, f))
    bounds = {kind: tuple(phrases.split("|")) for kind, phrases in table["bounds"].items()}
    return ClaimWords(
        flips={word: tuple(dict.fromkeys(others)) for word, others in flips.items()},
        axes={word: tuple(places) for word, places in axes.items()},
        units={form: tuple(places) for form, places in units.items()},
        blocks=blocks,
        bounds=bounds,
        bound_of={phrase: kind for kind, phrases in bounds.items() for phrase in phrases},
    )
