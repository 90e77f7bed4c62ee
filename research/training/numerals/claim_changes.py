"""Exchanges words beside a number: opposites, units, bounds; in a headline, a sentence, or in both alike."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final

from core.numerals.verifier import ClaimQuestion
from core.text.numerals.numeral import NumeralKind
from research.training.numerals.claim_facts import (
    ClaimFact,
    MarkedText,
    Source,
    capitalised,
    in_slot,
    like,
    passages,
    rounded,
    titled,
    written,
)

Pair = tuple[MarkedText, tuple[MarkedText, ...]]
"""A headline with its numeral, and sentences with theirs."""


def plain_pair(fact: ClaimFact) -> Pair:
    numeral = fact.numeral
    headline = MarkedText(fact.question.headline, ((numeral.start, numeral.end),))
    return headline, marked_passages(fact.sources)


def asked(pair: Pair) -> ClaimQuestion:
    """The question about a headline's first span."""
    headline, sentences = pair
    return ClaimQuestion(
        headline.text, *headline.spans[0], tuple((sentence.text, sentence.spans) for sentence in sentences)
    )


def marked_passages(sources: Sequence[Source]) -> tuple[MarkedText, ...]:
    """Sentences of sources with the places of the numerals in them."""
    return tuple(MarkedText(text, spans) for text, spans in passages(sources))


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
    flips: Mapping[str, tuple[str, ...]]
    axes: Mapping[str, tuple[tuple[int, int], ...]]
    units: Mapping[str, tuple[tuple[int, int, int], ...]]
    blocks: tuple[tuple[tuple[str, ...], ...], ...]
    bounds: Mapping[str, tuple[str, ...]]
    bound_of: Mapping[str, str]


@lru_cache(maxsize=1)
def claim_words() -> ClaimWords:
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


_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_UNIT: Final = re.compile(
    r"(?P<gap>[\s-]*)(?P<between>(?:more |straight |full |whole |consecutive |square |cubic )?)"
    r"(?P<unit>[^\W\d_]+)"
)
_SIGNS: Final = "$€£¥"
_PERCENTS: Final = re.compile(r"\s?(?:%|percentage points?\b|percent\b|per cent\b|points?\b)", re.IGNORECASE)


def flip_headline(pair: Pair, draw: Random) -> Pair | None:
    """A claim word of the headline turned into its opposite."""
    flipped = flipped_once(pair[0], draw)
    return None if flipped is None else (flipped, pair[1])


def flip_sentence(pair: Pair, draw: Random) -> Pair | None:
    """The sentence's words on the axis of a word of the headline turned round."""
    axes = _axes(pair[0].text)
    sentences = tuple(_turned(text, axes, draw) for text in pair[1])
    return None if sentences == pair[1] else (pair[0], sentences)


def flip_both(pair: Pair, draw: Random) -> Pair | None:
    """Headline and sentences turned round together: what was right stays right."""
    axes = _axes(pair[0].text) & {axis for text in pair[1] for axis in _axes(text.text)}
    if not axes:
        return None
    one = {draw.choice(sorted(axes))}
    return _turned(pair[0], one, draw), tuple(_turned(text, one, draw) for text in pair[1])


def flipped_once(text: MarkedText, draw: Random) -> MarkedText | None:
    """One word turned into an opposite; None where there is none."""
    flips = claim_words().flips
    able = [
        found
        for found in _WORD.finditer(text.text)
        if found[0].lower() in flips and not _marked(text, found.start())
    ]
    if not able:
        return None
    # What stands near the number is most often said of it.
    start = text.spans[0][0] if text.spans else 0
    able.sort(key=lambda found: abs(found.start() - start))
    found = able[0] if draw.random() < 0.6 else draw.choice(able)
    return text.replaced(*found.span(), like(draw.choice(flips[found[0].lower()]), found[0]))


def _axes(text: str) -> set[int]:
    axes = claim_words().axes
    return {row for word in _WORD.findall(text.lower()) for row, _ in axes.get(word, ())}


def _turned(text: MarkedText, axes: set[int], draw: Random) -> MarkedText:
    words = claim_words()
    changes = []
    for found in _WORD.finditer(text.text):
        word = found[0].lower()
        if any(row in axes for row, _ in words.axes.get(word, ())) and not _marked(text, found.start()):
            changes.append((*found.span(), like(draw.choice(words.flips[word]), found[0])))
    return text.all_replaced(changes)


def _marked(text: MarkedText, place: int) -> bool:
    return any(start <= place < end for start, end in text.spans)


def unit_headline(pair: Pair, draw: Random) -> Pair | None:
    """Another unit, currency or percent sign in the headline."""
    changed = unit_changed(pair[0], draw)
    return None if changed is None else (changed[0], pair[1])


def unit_sentence(pair: Pair, draw: Random) -> Pair | None:
    """Another unit at the first source of the sentences."""
    if len(pair[1]) != 1 or len(pair[1][0].spans) != 1:
        return None
    changed = unit_changed(pair[1][0], draw)
    return None if changed is None else (pair[0], (changed[0],))


def unit_both(pair: Pair, draw: Random) -> Pair | None:
    """The same other unit in both."""
    if len(pair[1]) != 1 or len(pair[1][0].spans) != 1:
        return None
    changed = unit_changed(pair[0], draw)
    if changed is None or changed[1] is None:
        return None
    block, old, new = changed[1]
    other = unit_changed(pair[1][0], draw, wanted=(block, old, new))
    return None if other is None else (changed[0], (other[0],))


_Way = tuple[int, int, int]
"""Block, unit that was, unit that is."""


def unit_changed(
    text: MarkedText, draw: Random, wanted: _Way | None = None
) -> tuple[MarkedText, _Way | None] | None:
    """Another unit at the first span; with `wanted`, that exchange alone."""
    words = claim_words()
    start, end = text.spans[0]
    number = text.text[start:end]
    sign = next((sign for sign in _SIGNS if sign in number[:4]), None)
    if sign is not None:
        block, old, _ = words.units[sign][0]
        new = _other(block, old, draw, wanted)
        if new is None:
            return None
        place = start + number.index(sign)
        if wanted is None and draw.random() < 0.1:  # the sign forgotten
            return text.replaced(place, place + 1, ""), None
        return text.replaced(place, place + 1, words.blocks[block][new][0]), (block, old, new)
    if wanted is None and (found := _PERCENTS.search(text.text, max(start, end - 9), end + 18)):
        if (found.start() <= end + 1 and "%" in found[0]) or "ercent" in found[0]:
            new_text = draw.choice([" points", " percentage points", "", "K", "-fold"])
            if new_text == "":
                return text.replaced(*found.span(), ""), None
            return text.replaced(*found.span(), _cased(new_text, text.text)), None
        return None
    found_unit = _UNIT.match(text.text, end)
    inside = re.search(r"[^\W\d_]+$", number)
    for match, span in (
        (found_unit["unit"], found_unit.span("unit")) if found_unit else ("", (0, 0)),
        (inside[0], (start + inside.start(), end)) if inside else ("", (0, 0)),
    ):
        for block, old, form in words.units.get(match.lower(), ()) if len(match) > 1 else ():
            new = _other(block, old, draw, wanted)
            if new is not None:
                unit = like(words.blocks[block][new][form], match)
                return text.replaced(*span, unit), (block, old, new)
    return None


def unit_added(pair: Pair, draw: Random) -> Pair | None:
    """A sign at a headline's plain count: 27 becomes $27 or 27%."""
    start, end = pair[0].spans[0]
    number = pair[0].text[start:end]
    unit = _UNIT.match(pair[0].text, end)
    if not number.replace(",", "").isdigit() or (unit and unit["unit"].lower() in claim_words().units):
        return None
    if draw.random() < 0.5:
        return pair[0].replaced(start, end, f"{draw.choice(_SIGNS[:3])}{number}"), pair[1]
    return pair[0].replaced(start, end, f"{number}%"), pair[1]


def _other(block: int, old: int, draw: Random, wanted: _Way | None) -> int | None:
    if wanted is not None:
        return wanted[2] if wanted[:2] == (block, old) else None
    count = len(claim_words().blocks[block])
    return draw.choice([at for at in range(count) if at != old])


def _cased(phrase: str, text: str) -> str:
    return capitalised(phrase) if titled(text) else phrase


def bound_before(text: MarkedText, at: int = 0) -> tuple[int, int, str] | None:
    """Start, end and kind of the bound before a span; None where there is none."""
    start = text.spans[at][0]
    before = text.text[:start].rstrip().lower()
    best: tuple[int, int, str] | None = None
    for phrase, kind in claim_words().bound_of.items():
        if before.endswith(phrase) and not before[: -len(phrase)][-1:].isalpha():
            first = len(before) - len(phrase)
            if best is None or first < best[0]:
                best = (first, len(before), kind)
    return best


def bound_headline(pair: Pair, draw: Random) -> Pair | None:
    """The headline's bound turned into one that contradicts it."""
    changed = _rebound(pair[0], draw)
    return None if changed is None else (changed, pair[1])


def bound_sentence(pair: Pair, draw: Random) -> Pair | None:
    """The bound of the one source turned, where the headline keeps one."""
    if len(pair[1]) != 1 or len(pair[1][0].spans) != 1 or bound_before(pair[0]) is None:
        return None
    changed = _rebound(pair[1][0], draw)
    return None if changed is None else (pair[0], (changed,))


def _rebound(text: MarkedText, draw: Random) -> MarkedText | None:
    found = bound_before(text)
    if found is None or found[2] not in WRONG_BOUNDS:
        return None
    first, last, kind = found
    phrase = draw.choice(claim_words().bounds[draw.choice(WRONG_BOUNDS[kind])])
    return text.replaced(first, last, like(phrase, text.text[first:last]))


def with_bound(text: MarkedText, kind: str, draw: Random) -> MarkedText:
    """The text with a bound before its first span, where there is none yet."""
    phrase = draw.choice(claim_words().bounds[kind])
    start = text.spans[0][0]
    cased = _cased(phrase, text.text)
    if not text.text[:start].strip():
        cased = phrase[0].upper() + phrase[1:] if not titled(text.text) else cased
    first, last = text.spans[0]
    moved = text.replaced(first, first, f"{cased} ")
    grown = len(cased) + 1
    spans = ((first + grown, last + grown), *moved.spans[1:])
    return MarkedText(moved.text, spans)


def changed_by(
    changes: Sequence[tuple[float, Callable[[Pair, Random], Pair | None]]], pair: Pair, draw: Random
) -> Pair | None:
    """The first of the changes, drawn by their weights, that can be made."""
    left = list(changes)
    while left:
        at = draw.choices(range(len(left)), [weight for weight, _ in left])[0]
        changed = left.pop(at)[1](pair, draw)
        if changed is not None:
            return changed
    return None


_UNBOUNDED: Final = frozenset(
    {NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.ORDINAL}
)


def bounded(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """A bound before a copied number that has none; right where the sentence gets one that says the same."""
    if not _boundable(fact, pair):
        return None
    kind = draw.choice(("more", "less", "near", *(("least", "most") if right else ())))
    bare = bound_before(pair[1][0]) is None
    headline = with_bound(pair[0], kind, draw)
    if not bare:
        return None
    if right:
        return headline, (with_bound(pair[1][0], kind, draw),)
    if draw.random() < 0.5:
        return headline, pair[1]
    return headline, (with_bound(pair[1][0], draw.choice(WRONG_BOUNDS[kind]), draw),)


def rounded_with_bound(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """The number rounded in the headline, with a bound that holds or does not."""
    if not _boundable(fact, pair):
        return None
    up = draw.random() < 0.5
    value = rounded(fact.sources[0].numeral, draw, up=up)
    number = written(value, fact.numeral) if value is not None else None
    if number is None:
        return None
    headline = in_slot(pair[0], fact.numeral, number)
    kinds = ("near", "near", "less") if up == right else ("more",)
    return with_bound(headline, draw.choice(kinds), draw), pair[1]


def hedged(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """The sentence hedges, the headline does not: headlines leave that out."""
    if not _boundable(fact, pair) or bound_before(pair[1][0]) is not None:
        return None
    return pair[0], (with_bound(pair[1][0], draw.choice(("about", "more", "near", "least")), draw),)


def _boundable(fact: ClaimFact, pair: Pair) -> bool:
    if not fact.copied or fact.numeral.kind in _UNBOUNDED or len(pair[1][0].spans) != 1:
        return False
    before = pair[0].text[: pair[0].spans[0][0]]
    return bound_before(pair[0]) is None and before[-1:] in ("", " ")
