"""Which reports of an event are one text that several outlets run: wire copies count once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from core.data.timelines.duplicates import components
from core.text.normalise import comparison_key

ALIKE: Final = 0.88
"""Share of letters in the same order (Indel) from which two headlines are one text.

Chosen with `WORDS_ALIKE` on every other group of tests/data/origins.csv, in which 880 headlines were read:
.964 of the pairs right there and .961 in the other groups (precision .91, recall .71).
"""
WORDS_ALIKE: Final = 0.8
"""The same for the words that two headlines share of all that either has (Jaccard), in whatever order."""
BODIES_ALIKE: Final = 0.5  # the same for runs of `_RUN` words of two articles
_RUN: Final = 5
_MOST: Final = 600  # reports of one event that are held against each other
_NUMBERS: Final = re.compile(r"\d+")
_AGENCIES: Final = {
    "Reuters": r"Reuters", "AP": r"\bAP\b|Associated Press", "AFP": r"\bAFP\b|Agence France-Presse",
    "dpa": r"\bdpa\b", "UPI": r"\bUPI\b", "ANSA": r"\bANSA\b", "EFE": r"\bEFE\b",
    "TASS": r"\b(?:TASS|ТАСС)\b", "Интерфакс": r"Interfax|Интерфакс", "Xinhua": r"Xinhua",
    "Bloomberg": r"Bloomberg", "PTI": r"\bPTI\b",
}  # fmt: skip
_CREDIT: Final = {
    name: re.compile(rf"\((?:{words})\)|(?:^|\s)[-–—|]\s*(?:{words})\s*$|^(?:{words})\s*[-–—:|]")
    for name, words in _AGENCIES.items()
}
"""An agency that is credited, not one that a headline is about."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Why a report counts with another one."""

    row: int
    of: int  # the first report of the same origin
    why: str  # a few words: "the same words", "92 % of the letters are the same", "both credit Reuters"


def origins(
    texts: Sequence[str],
    rows: Sequence[int],
    bodies: Sequence[str] = (),
    copies: Sequence[Sequence[int]] = (),
) -> tuple[Copy, ...]:
    """The reports among `rows`, which come by time, that are of the same origin as an earlier one.

    `copies` are reports that are known to be one: each original with what repeats it.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    rows = list(rows)[:_MOST]
    place = {row: at for at, row in enumerate(rows)}
    keys = [comparison_key(texts[row]) for row in rows]
    words = [frozenset(key.split()) for key in keys]
    why: dict[tuple[int, int], str] = {}
    for report in copies:
        original, *others = [place[row] for row in report if row in place] or [0]
        same = ((min(original, at), max(original, at)) for at in others)
        why |= {(a, b): "the same words" + " but for spelling" * (keys[a] != keys[b]) for a, b in same}
    alike = process.cdist(keys, keys, scorer=Indel.normalized_similarity, score_cutoff=0.5)
    for a, b in np.argwhere(np.triu(alike, 1) > 0).tolist():
        if (a, b) not in why and (
            said := _one_text(keys[a], keys[b], words[a], words[b], float(alike[a, b]))
        ):
            why[a, b] = said
    told = [bodies[row] if bodies else "" for row in rows]
    why = (
        _of_bodies(told) | _credited([f"{texts[row]}\n{told[at][:200]}" for at, row in enumerate(rows)]) | why
    )
    root = components(len(rows), why)
    return tuple(
        Copy(rows[at], rows[int(root[at])], _reason(why, at, int(root[at])))
        for at in range(len(rows))
        if root[at] != at
    )


def _of_bodies(bodies: Sequence[str]) -> dict[tuple[int, int], str]:
    runs = {at: found for at, body in enumerate(bodies) if (found := _runs(body))}
    shares = {(a, b): _jaccard(runs[a], runs[b]) for a, b in combinations(runs, 2)}
    return {
        pair: f"{share:.0%} of the article's runs of {_RUN} words are the same"
        for pair, share in shares.items()
        if share >= BODIES_ALIKE
    }


def _credited(texts: Sequence[str]) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    for name, credit in _CREDIT.items():
        first, *others = [at for at, text in enumerate(texts) if credit.search(text)] or [0]
        found |= {(first, at): f"both credit {name}" for at in others}
    return found


def _one_text(a: str, b: str, left: frozenset[str], right: frozenset[str], alike: float) -> str:
    if a == b:
        return "the same words"
    if sorted(_NUMBERS.findall(a)) != sorted(_NUMBERS.findall(b)):
        return ""
    shared = _jaccard(left, right)
    if shared >= WORDS_ALIKE:
        return f"{shared:.0%} of the words are the same"
    return f"{alike:.0%} of the letters are the same" if alike >= ALIKE else ""


def _reason(why: dict[tuple[int, int], str], at: int, root: int) -> str:
    return why.get((root, at)) or next(said for pair, said in why.items() if at in pair)


def _jaccard(a: frozenset[object], b: frozenset[object]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0


def _runs(body: str) -> frozenset[tuple[str, ...]]:
    words = comparison_key(body).split()
    return frozenset(zip(*(words[at:] for at in range(_RUN)), strict=False))
