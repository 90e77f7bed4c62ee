"""Exchanges words beside a number: opposites, units, bounds; in a headline, a sentence, or in both alike."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from research.training.numerals import claim_facts

Pair = tuple[claim_facts.MarkedText, tuple[claim_facts.MarkedText, ...]]
"""A headline with its numeral, and sentences with theirs."""
Change = Callable[[Pair, Random], Pair | None]  # a pair with something changed; None where it cannot be
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_UNIT: Final = re.compile(
    r"(?P<gap>[\s-]*)(?P<between>(?:more |straight |full |whole |consecutive |square |cubic )?)"
    r"(?P<unit>[^\W\d_]+)"
)
_SIGNS: Final = "$€£¥"
_PERCENTS: Final = re.compile(r"\s?(?:%|percentage points?\b|percent\b|per cent\b|points?\b)", re.IGNORECASE)
_Way = tuple[int, int, int]  # block, unit that was, unit that is


def on_headline(change: Callable[[claim_facts.MarkedText, Random], claim_facts.MarkedText | None]) -> Change:
    def changed(pair: Pair, draw: Random) -> Pair | None:
        headline = change(pair[0], draw)
        return None if headline is None else (headline, pair[1])

    return changed


def on_sentence(change: Callable[[claim_facts.MarkedText, Random], claim_facts.MarkedText | None]) -> Change:
    """The change of a sentence with one number, where there is no other sentence."""

    def changed(pair: Pair, draw: Random) -> Pair | None:
        single = len(pair[1]) == 1 and len(pair[1][0].spans) == 1
        sentence = change(pair[1][0], draw) if single else None
        return None if sentence is None else (pair[0], (sentence,))

    return changed


class ClaimWords(NamedTuple):
    flips: Mapping[str, list[str]]  # opposites of a word
    axes: Mapping[str, set[int]]  # the pairs of opposites that it belongs to
    units: Mapping[str, list[tuple[int, int, int]]]  # block, unit and form of a word
    blocks: list[list[list[str]]]  # units that are taken for each other, each in its forms
    bounds: Mapping[str, list[str]]  # phrases by what they say
    bound_of: Mapping[str, str]
    wrong_bounds: Mapping[str, list[str]]  # those that contradict one


@lru_cache(maxsize=1)
def claim_words() -> ClaimWords:
    with (Path(__file__).parent / "claim_words.toml").open("rb") as file:
        table = tomllib.load(file)
    flips: dict[str, list[str]] = {}
    axes: dict[str, set[int]] = {}
    for row, line in enumerate(table["flips"].strip().splitlines()):
        left, right = (side.split() for side in line.split("|"))
        for word, others in [*((word, right) for word in left), *((word, left) for word in right)]:
            flips[word] = list(dict.fromkeys([*flips.get(word, ()), *others]))
            axes.setdefault(word, set()).add(row)
    blocks = [
        [[form.replace("-", " ") for form in line.split()] for line in block.splitlines()]
        for block in table["units"].strip().split("\n\n")
    ]
    units: dict[str, list[tuple[int, int, int]]] = {}
    for b, block in enumerate(blocks):
        for u, forms in enumerate(block):
            # The plural before the singular: a word that is both stands mostly behind a number.
            for f in (2, 1, 0):
                places = units.setdefault(forms[f], [])
                if (b, u) not in [place[:2] for place in places]:
                    places.append((b, u, f))
    bounds = {kind: phrases.split("|") for kind, phrases in table["bounds"].items()}
    bound_of = {phrase: kind for kind, phrases in bounds.items() for phrase in phrases}
    return ClaimWords(flips, axes, units, blocks, bounds, bound_of, table["wrong_bounds"])


def flip_sentence(pair: Pair, draw: Random) -> Pair | None:
    """The sentence's words on the axis of a word of the headline turned round."""
    axes = _axes(pair[0].text)
    return pair[0], tuple(_turned(text, axes, draw) for text in pair[1])


def flip_both(pair: Pair, draw: Random) -> Pair | None:
    """Headline and sentences turned round together: what was right stays right."""
    axes = _axes(pair[0].text) & {axis for text in pair[1] for axis in _axes(text.text)}
    if not axes:
        return None
    axes = {draw.choice(sorted(axes))}
    return _turned(pair[0], axes, draw), tuple(_turned(text, axes, draw) for text in pair[1])


def _flipped(text: claim_facts.MarkedText, draw: Random) -> claim_facts.MarkedText | None:
    able = list(_claim_words_of(text))
    if not able:
        return None
    # What stands near the number is most often said of it.
    start = text.spans[0][0] if text.spans else 0
    able.sort(key=lambda word: abs(word.start() - start))
    word = able[0] if draw.random() < 0.6 else draw.choice(able)
    return text.replaced(
        *word.span(), claim_facts.like(draw.choice(claim_words().flips[word[0].lower()]), word[0])
    )


flip_headline = on_headline(_flipped)  # a claim word of the headline turned into an opposite


def _claim_words_of(text: claim_facts.MarkedText) -> Iterator[re.Match[str]]:
    for word in _WORD.finditer(text.text):
        marked = any(start <= word.start() < end for start, end in text.spans)
        if word[0].lower() in claim_words().flips and not marked:
            yield word


def _axes(text: str) -> set[int]:
    axes = claim_words().axes
    return set().union(*(axes.get(word, ()) for word in _WORD.findall(text.lower())))


def _turned(text: claim_facts.MarkedText, axes: set[int], draw: Random) -> claim_facts.MarkedText:
    words = claim_words()
    changes = [
        (*word.span(), claim_facts.like(draw.choice(words.flips[word[0].lower()]), word[0]))
        for word in _claim_words_of(text)
        if words.axes[word[0].lower()] & axes
    ]
    for start, end, new in reversed(changes):
        text = text.replaced(start, end, new)
    return text


def _another_unit(text: claim_facts.MarkedText, draw: Random) -> claim_facts.MarkedText | None:
    return (unit_changed(text, draw) or (None, None))[0]


unit_headline, unit_sentence = on_headline(_another_unit), on_sentence(_another_unit)  # another unit, or sign


def unit_both(pair: Pair, draw: Random) -> Pair | None:
    if len(pair[1]) != 1 or len(pair[1][0].spans) != 1:
        return None
    changed = unit_changed(pair[0], draw)
    if changed is None or changed[1] is None:
        return None
    other = unit_changed(pair[1][0], draw, wanted=changed[1])
    return None if other is None else (changed[0], (other[0],))


def unit_changed(
    text: claim_facts.MarkedText, draw: Random, wanted: _Way | None = None
) -> tuple[claim_facts.MarkedText, _Way | None] | None:
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
    if wanted is None and (percent := _PERCENTS.search(text.text, max(start, end - 9), end + 18)):
        if not (percent.start() <= end + 1 and "%" in percent[0]) and "ercent" not in percent[0]:
            return None
        unit = draw.choice([" points", " percentage points", "", "K", "-fold"])
        return text.replaced(*percent.span(), _cased(unit, text.text)), None
    found_unit = _UNIT.match(text.text, end)
    inside = re.search(r"[^\W\d_]+$", number)
    for match, span in (
        (found_unit["unit"], found_unit.span("unit")) if found_unit else ("", (0, 0)),
        (inside[0], (start + inside.start(), end)) if inside else ("", (0, 0)),
    ):
        for block, old, form in words.units.get(match.lower(), ()) if len(match) > 1 else ():
            new = _other(block, old, draw, wanted)
            if new is not None:
                unit = claim_facts.like(words.blocks[block][new][form], match)
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
    return claim_facts.capitalised(phrase) if claim_facts.titled(text) else phrase


def bound_before(text: claim_facts.MarkedText) -> tuple[int, int, str] | None:
    """Start, end and kind of the bound before the first span; None where there is none."""
    start = text.spans[0][0]
    before = text.text[:start].rstrip().lower()
    phrases = [
        (len(before) - len(phrase), len(before), kind)
        for phrase, kind in claim_words().bound_of.items()
        if before.endswith(phrase) and not before[: -len(phrase)][-1:].isalpha()
    ]
    return min(phrases, default=None, key=lambda phrase: phrase[0])


def _rebound(text: claim_facts.MarkedText, draw: Random) -> claim_facts.MarkedText | None:
    bound, words = bound_before(text), claim_words()
    if bound is None or bound[2] not in words.wrong_bounds:
        return None
    first, last, kind = bound
    phrase = draw.choice(words.bounds[draw.choice(words.wrong_bounds[kind])])
    return text.replaced(first, last, claim_facts.like(phrase, text.text[first:last]))


bound_headline = on_headline(_rebound)  # the headline's bound turned into one that contradicts it


def bound_sentence(pair: Pair, draw: Random) -> Pair | None:
    """The bound of the one source turned, where the headline keeps one."""
    return None if bound_before(pair[0]) is None else on_sentence(_rebound)(pair, draw)


def with_bound(text: claim_facts.MarkedText, kind: str, draw: Random) -> claim_facts.MarkedText:
    """The text with a bound before its first span, where there is none yet."""
    phrase = draw.choice(claim_words().bounds[kind])
    first, last = text.spans[0]
    cased = _cased(phrase, text.text)
    if not text.text[:first].strip() and not claim_facts.titled(text.text):
        cased = phrase[0].upper() + phrase[1:]
    moved = text.replaced(first, first, f"{cased} ")
    grown = len(cased) + 1
    return claim_facts.MarkedText(moved.text, ((first + grown, last + grown), *moved.spans[1:]))


def bounded(fact: claim_facts.ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """A bound before a copied number that has none; right where the sentence gets one that says the same."""
    if not _boundable(fact, pair):
        return None
    kind = draw.choice(("more", "less", "near", *(("least", "most") if right else ())))
    headline = with_bound(pair[0], kind, draw)
    if bound_before(pair[1][0]) is not None:
        return None
    if not right and draw.random() < 0.5:
        return headline, pair[1]
    said = kind if right else draw.choice(claim_words().wrong_bounds[kind])
    return headline, (with_bound(pair[1][0], said, draw),)


def rounded_with_bound(fact: claim_facts.ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """The number rounded in the headline, with a bound that holds or does not."""
    if not _boundable(fact, pair):
        return None
    up = draw.random() < 0.5
    value = claim_facts.rounded(fact.sources[0].numeral, draw, up=up)
    number = claim_facts.written(value, fact.numeral) if value is not None else None
    if number is None:
        return None
    headline = claim_facts.in_slot(pair[0], fact.numeral, number)
    kinds = ("near", "near", "less") if up == right else ("more",)
    return with_bound(headline, draw.choice(kinds), draw), pair[1]


def hedged(fact: claim_facts.ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """The sentence hedges, the headline does not: headlines leave that out."""
    if not _boundable(fact, pair) or bound_before(pair[1][0]) is not None:
        return None
    return pair[0], (with_bound(pair[1][0], draw.choice(("about", "more", "near", "least")), draw),)


def _boundable(fact: claim_facts.ClaimFact, pair: Pair) -> bool:
    if not fact.copied or fact.numeral.kind in claim_facts.UNBOUNDED or len(pair[1][0].spans) != 1:
        return False
    before = pair[0].text[: pair[0].spans[0][0]]
    return bound_before(pair[0]) is None and before[-1:] in ("", " ")
