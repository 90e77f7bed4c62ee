"""Numbers, things and holders of an article confused: another number in the slot, another name or noun."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from core.text.numerals.numeral import NumeralKind
from research.training.numerals.claim_changes import (
    Pair,
    marked_passages,
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
