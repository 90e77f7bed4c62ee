"""Numbers, things and holders of an article confused: another number in the slot, another name or noun."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.numerals.entailing.question import ClaimClass, ClaimQuestion
from core.text.numerals.numeral import NumeralKind
from research.training.numerals import claim_changes as change
from research.training.numerals.claim_changes import (
    Pair,
    asked,
    bounded,
    marked_passages,
    plain_pair,
    rounded_with_bound,
)
from research.training.numerals.claim_facts import ClaimFact, MarkedText, Source, in_slot, like, written

_NEXT_WORD: Final = re.compile(r"\s+([^\W\d_]{3,}s)\b")


def swapped(fact: ClaimFact, pair: Pair, draw: Random, *, alike: bool | None = None) -> Pair | None:
    """Another number of the article in the slot, with its own sentence."""
    found = _rival(fact, draw, alike)
    if found is None:
        return None
    other, number = found
    return in_slot(pair[0], fact.numeral, number), marked_passages((other,))


def counted_otherwise(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Things that another number of the article counts, in place of the headline's."""
    headline = pair[0]
    own = _NEXT_WORD.match(headline.text, headline.spans[0][1])
    if own is None:
        return None
    there = [_NEXT_WORD.match(one.sentence, one.span[1]) for one in fact.others]
    nouns = sorted({one[1].lower() for one in there if one and one[1].lower()[:4] != own[1].lower()[:4]})
    if not nouns:
        return None
    return headline.replaced(*own.span(1), like(draw.choice(nouns), own[1])), pair[1]


def held_by_another(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Another name of the article, of the same kind, for one that headline and sentence have."""
    headline = pair[0].text
    body = " ".join(text.text for text in pair[1])
    named = [
        (found.span(), holder)
        for holder in fact.holders
        for word in {holder.name, holder.name.split()[-1]}
        if word in body and (found := re.search(rf"\b{re.escape(word)}\b", headline))
    ]
    if not named:
        return None
    (start, end), own = draw.choice(named)
    others = [
        one.name
        for one in fact.holders
        if one.place == own.place and not set(one.name.split()) & set(own.name.split())
    ]
    if not others:
        return None
    name = draw.choice(others)
    if " " not in headline[start:end]:
        name = name.split()[-1]
    return None if name in headline else (pair[0].replaced(start, end, name), pair[1])


def put_elsewhere(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """The headline's number put into the sentence of another number of the same kind."""
    alike = [one for one in fact.others if one.numeral.kind is fact.numeral.kind]
    if not alike or not fact.copied:
        return None
    other = draw.choice(alike)
    start = other.numeral.number_start - other.numeral.start + other.span[0]
    end = start + len(other.numeral.number)
    text = MarkedText(other.sentence, (other.span,))
    return pair[0], (text.replaced(start, end, fact.sources[0].numeral.number),)


def exchanged(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """Two numbers of one sentence in each other's place; right where the headline's moves along."""
    if not fact.copied:
        return None
    source = fact.sources[0]
    able = [
        (other, number)
        for other in fact.others
        if other.row == source.row
        and other.numeral.kind is fact.numeral.kind
        and (number := written(other.numeral.value, fact.numeral)) is not None
    ]
    if not able:
        return None
    other, number = draw.choice(able)
    text = MarkedText(source.sentence, (source.span, other.span))
    (a, b), (c, d) = source.span, other.span
    if b > c and d > a:
        return None
    text = text.all_replaced([(a, b, source.sentence[c:d]), (c, d, source.sentence[a:b])])
    marked = MarkedText(text.text, (text.spans[0 if right else 1],))
    return (in_slot(pair[0], fact.numeral, number) if right else pair[0]), (marked,)


def derived_from_others(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Sum or difference of two numbers that have nothing to do with it."""
    alike = [one for one in fact.others if one.numeral.kind is fact.numeral.kind]
    if len(alike) < 2:
        return None
    one, two = draw.sample(alike, 2)
    value = one.numeral.value - two.numeral.value
    if value <= 0 or draw.random() < 0.4:
        value = one.numeral.value + two.numeral.value
    number = written(value, fact.numeral)
    if number is None or number == fact.numeral.number:
        return None
    return in_slot(pair[0], fact.numeral, number), marked_passages((one, two))


def _rival(fact: ClaimFact, draw: Random, only: bool | None) -> tuple[Source, str] | None:
    rows = {source.row for source in fact.sources}
    able: list[tuple[float, Source, str]] = []
    for other in fact.others:
        number = written(other.numeral.value, fact.numeral, year=other.numeral.kind is NumeralKind.YEAR)
        if number is None or number == fact.numeral.number:
            continue
        alike = other.numeral.kind is fact.numeral.kind
        if only is not None and alike != only:
            continue
        weight = (1.0 if alike else 0.15) * (2.0 if alike and other.numeral.unit == fact.numeral.unit else 1)
        able.append((weight * (2.0 if other.row in rows else 1.0), other, number))
    if not able:
        return None
    _, other, number = draw.choices(able, [one[0] for one in able])[0]
    return other, number


def renumbered(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Another number in both."""
    if not fact.copied or fact.sources[0].numeral.number != fact.numeral.number:
        return None
    number = fact.numeral.number
    digits = [str(draw.randrange(1, 10)) if sign.isdigit() else sign for sign in number]
    source = fact.sources[0].numeral
    start = source.number_start - source.start + fact.sources[0].span[0]
    text = pair[1][0].replaced(start, start + len(source.number), "".join(digits))
    return in_slot(pair[0], fact.numeral, "".join(digits)), (text,)


ORIGINAL: Final = "original"
FALSE_ALARMS: Final = (0.01, 0.03)
"""Shares of right headlines that may be flagged, at which recall is measured."""


@dataclass(frozen=True, slots=True)
class ClaimTrial:
    """A question whose answer is known."""

    question: ClaimQuestion
    kind: str
    row: int


WRONG: Final[Mapping[str, tuple[ClaimClass, Callable[[ClaimFact, Pair, Random], Pair | None]]]] = (
    MappingProxyType(
        {
            "number of the same kind": (ClaimClass.OTHER, partial(swapped, alike=True)),
            "number of another kind": (ClaimClass.OTHER, partial(swapped, alike=False)),
            "thing counted": (ClaimClass.OTHER, counted_otherwise),
            "unit": (ClaimClass.UNIT, lambda fact, pair, draw: change.unit_headline(pair, draw)),
            "claim word": (ClaimClass.CLAIM, lambda fact, pair, draw: change.flip_headline(pair, draw)),
            "bound turned": (ClaimClass.BOUND, lambda fact, pair, draw: change.bound_headline(pair, draw)),
            "bound added": (ClaimClass.BOUND, partial(bounded, right=False, sentence=False)),
            "bound of a rounded number": (ClaimClass.BOUND, partial(rounded_with_bound, right=False)),
            "holder": (ClaimClass.HOLDER, held_by_another),
        }
    )
)
"""Ways to make a headline wrong, with their classes; the sentences stay as they are."""


def claim_trials(facts: Sequence[ClaimFact], seed: int) -> list[ClaimTrial]:
    """Every right headline, and each made wrong in all ways that can be; the same for the same seed."""
    found = []
    for fact in facts:
        plain = plain_pair(fact)
        found.append(ClaimTrial(asked(plain), ORIGINAL, fact.row))
        for kind, (_, how) in WRONG.items():
            draw = Random(f"{seed}|{kind}|{fact.row}|{plain[0].text}")  # noqa: S311 - not for secrets
            changed = how(fact, plain, draw)
            if changed is not None and changed != plain:
                found.append(ClaimTrial(asked(changed), kind, fact.row))
    return found


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """What was told of one kind of wrong headlines."""

    count: int
    auc: float
    caught: tuple[float, ...]


def figures(trials: Sequence[ClaimTrial], scores: FloatArray) -> dict[str, ClaimFigure]:
    """Figures by kind.

    Args:
        trials: From `claim_trials`.
        scores: Log-odds of support of each, float64 [n].
    """
    kinds = np.array([trial.kind for trial in trials])
    right = np.sort(scores[kinds == ORIGINAL])
    found = {}
    for kind in WRONG:
        wrong = scores[kinds == kind]
        if not len(wrong) or not len(right):
            continue
        below = np.searchsorted(right, wrong, side="left")
        above = np.searchsorted(right, wrong, side="right")
        auc = float(1 - (below + above).mean() / (2 * len(right)))
        caught = tuple(float(np.mean(wrong < threshold_at(right, share))) for share in FALSE_ALARMS)
        found[kind] = ClaimFigure(len(wrong), auc, caught)
    return found


def threshold_at(right: FloatArray, share: float) -> float:
    """The threshold below which at most that share of right headlines lies."""
    return float(np.sort(right)[int(share * len(right))])
