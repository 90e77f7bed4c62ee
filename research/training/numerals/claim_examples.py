"""Right headlines with their sentences, and wrong ones made from them, for a claim model."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from core.numerals.reader import ClaimClass, ClaimQuestion
from core.text.numerals.numeral import NumeralKind
from research.training.numerals import claim_changes as change
from research.training.numerals.claim_changes import Change, Pair, bounded, hedged, rounded_with_bound
from research.training.numerals.claim_facts import (
    ClaimFact,
    MarkedText,
    Source,
    in_slot,
    like,
    marked_passages,
    written,
)

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ENDINGS: Final = ("ing", "ed", "s", "")
_JOINTS: Final = ("; ", ", ", "; ", " | ", " as ", ", and ")
_NEXT_WORD: Final = re.compile(r"\s+([^\W\d_]{3,}s)\b")


class ClaimExample(NamedTuple):
    question: ClaimQuestion
    answer: ClaimClass


class ClaimWriter:
    """Makes examples of facts; the same for the same fact and seed."""

    def __init__(self, facts: Sequence[ClaimFact]) -> None:
        self._facts = facts
        self._pool: dict[str, list[str]] = {ending: [] for ending in _ENDINGS}
        for fact in facts:
            for word in _WORD.findall(fact.headline):
                self._pool[_ending(word)].append(word)

    def examples(self, fact: ClaimFact, seed: int) -> list[ClaimExample]:
        """Examples for an epoch: two right ones where a second can be made, and up to three wrong ones."""
        draw = Random(f"{seed}|{fact.row}|{fact.headline}")  # noqa: S311 - not for secrets
        plain = plain_pair(fact)
        made = [(plain, ClaimClass.SUPPORTED)]
        changes = self._changes(fact)
        wrong = {*ClaimClass} - {ClaimClass.SUPPORTED}
        claims = {ClaimClass.CLAIM, ClaimClass.HOLDER}
        for wanted in ({ClaimClass.SUPPORTED}, {ClaimClass.OTHER}, claims, wrong):
            left = [choice for choice in changes if choice[2] in wanted]
            while left:
                choice = left.pop(draw.choices(range(len(left)), [weight for weight, _, _ in left])[0])
                changed = choice[1](plain, draw)
                if changed is not None and (choice[2] is ClaimClass.SUPPORTED or changed != plain):
                    made.append((changed, choice[2]))
                    # The same once more teaches less than something else.
                    changes.remove(choice)
                    break
        examples = []
        for (headline, sentences), answer in made:
            given = tuple((text, spans) for text, spans in sentences)
            examples.append(ClaimExample(ClaimQuestion(headline.text, *headline.spans[0], given), answer))
        return examples

    def _changes(self, fact: ClaimFact) -> list[tuple[float, Change, ClaimClass]]:
        share = 0.3 if len(fact.sources) > 1 else 0.1
        right = ClaimClass.SUPPORTED
        return [
            (2.0, change.flip_both, right),
            (2.0, change.unit_both, right),
            (1.0, lambda pair, draw: bounded(fact, pair, draw, right=True), right),
            (1.0, lambda pair, draw: rounded_with_bound(fact, pair, draw, right=True), right),
            (1.0, lambda pair, draw: renumbered(fact, pair, draw), right),
            (1.0, lambda pair, draw: exchanged(fact, pair, draw, right=True), right),
            (0.4, lambda pair, draw: self._joined(fact, draw, right=True), right),
            (0.3, lambda pair, draw: hedged(fact, pair, draw), right),
            (1.2, lambda pair, draw: swapped(fact, pair, draw), ClaimClass.OTHER),
            (0.6, lambda pair, draw: put_elsewhere(fact, pair, draw), ClaimClass.OTHER),
            (0.5, lambda pair, draw: exchanged(fact, pair, draw, right=False), ClaimClass.OTHER),
            (share, lambda pair, draw: derived_from_others(fact, pair, draw), ClaimClass.OTHER),
            (0.1, lambda pair, draw: self._joined(fact, draw, right=False), ClaimClass.OTHER),
            (0.2, lambda pair, draw: counted_otherwise(fact, pair, draw), ClaimClass.OTHER),
            (1.5, change.flip_headline, ClaimClass.CLAIM),
            (0.7, change.flip_sentence, ClaimClass.CLAIM),
            (0.9, lambda pair, draw: held_by_another(fact, pair, draw), ClaimClass.HOLDER),
            (0.6, change.unit_headline, ClaimClass.UNIT),
            (0.3, change.unit_sentence, ClaimClass.UNIT),
            (0.1, change.unit_added, ClaimClass.UNIT),
            (0.6, change.bound_headline, ClaimClass.BOUND),
            (0.4, change.bound_sentence, ClaimClass.BOUND),
            (0.25, lambda pair, draw: bounded(fact, pair, draw, right=False), ClaimClass.BOUND),
            (0.25, lambda pair, draw: rounded_with_bound(fact, pair, draw, right=False), ClaimClass.BOUND),
            (0.3, self._reworded, ClaimClass.WORD),
        ]

    def _reworded(self, pair: Pair, draw: Random) -> Pair | None:
        able = list(_WORD.finditer(pair[0].text))
        if not able:
            return None
        word = draw.choice(able)
        other = draw.choice(self._pool[_ending(word[0])])
        if other.lower()[:4] == word[0].lower()[:4]:
            return None
        return pair[0].replaced(*word.span(), like(other.lower(), word[0])), pair[1]

    def _joined(self, fact: ClaimFact, draw: Random, *, right: bool) -> Pair | None:
        other = draw.choice(self._facts)
        own, added = plain_pair(fact), plain_pair(other)
        if len(own[0].text) + len(added[0].text) > 130 or other.numeral.value == fact.numeral.value:
            return None
        if right:
            first, second, sentences = own[0], added[0], own[1]
        else:
            numbers = written(other.numeral.value, fact.numeral), written(fact.numeral.value, other.numeral)
            if numbers[0] is None or numbers[1] is None:
                return None
            first = in_slot(own[0], fact.numeral, numbers[0])
            second = in_slot(added[0], other.numeral, numbers[1])
            sentences = added[1]
        joint = draw.choice(_JOINTS)
        if draw.random() < 0.5:
            return MarkedText(f"{first.text}{joint}{second.text}", first.spans), sentences
        before = len(second.text) + len(joint)
        start, end = first.spans[0]
        return MarkedText(f"{second.text}{joint}{first.text}", ((start + before, end + before),)), sentences


def plain_pair(fact: ClaimFact) -> Pair:
    headline = MarkedText(fact.headline, ((fact.numeral.start, fact.numeral.end),))
    return headline, marked_passages(fact.sources)


def alike(fact: ClaimFact) -> list[Source]:
    return [other for other in fact.others if other.numeral.kind is fact.numeral.kind]


def swapped(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Another number of the article in the slot, with its own sentence."""
    rows = {source.row for source in fact.sources}
    able: list[tuple[float, Source, str]] = []
    for other in fact.others:
        number = written(other.numeral.value, fact.numeral, year=other.numeral.kind is NumeralKind.YEAR)
        if number is None or number == fact.numeral.number:
            continue
        weight = 0.15
        if other.numeral.kind is fact.numeral.kind:
            weight = 2.0 if other.numeral.unit == fact.numeral.unit else 1.0
        able.append((weight * (2.0 if other.row in rows else 1.0), other, number))
    if not able:
        return None
    _, other, number = draw.choices(able, [weight for weight, _, _ in able])[0]
    return in_slot(pair[0], fact.numeral, number), marked_passages([other])


def counted_otherwise(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Things that another number of the article counts, in place of the headline's."""
    headline = pair[0]
    own = _NEXT_WORD.match(headline.text, headline.spans[0][1])
    if own is None:
        return None
    others = (_NEXT_WORD.match(other.sentence, other.span[1]) for other in fact.others)
    nouns = sorted({other[1].lower() for other in others if other})
    nouns = [noun for noun in nouns if noun[:4] != own[1].lower()[:4]]
    if not nouns:
        return None
    return headline.replaced(*own.span(1), like(draw.choice(nouns), own[1])), pair[1]


def held_by_another(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Another name of the article, of the same kind, for one that headline and sentence have."""
    headline = pair[0].text
    body = " ".join(text.text for text in pair[1])
    named = [
        (mention.span(), holder)
        for holder in fact.holders
        for word in dict.fromkeys((holder.name, holder.name.split()[-1]))
        if word in body and (mention := re.search(rf"\b{re.escape(word)}\b", headline))
    ]
    if not named:
        return None
    (start, end), own = draw.choice(named)
    others = [
        holder.name
        for holder in fact.holders
        if holder.place == own.place and not set(holder.name.split()) & set(own.name.split())
    ]
    if not others:
        return None
    name = draw.choice(others)
    if " " not in headline[start:end]:
        name = name.split()[-1]
    return None if name in headline else (pair[0].replaced(start, end, name), pair[1])


def put_elsewhere(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """The headline's number put into the sentence of another number of the same kind."""
    others = alike(fact)
    if not others or not fact.copied:
        return None
    other = draw.choice(others)
    text = MarkedText(other.sentence, (other.span,))
    return pair[0], (text.replaced(*_number_of(other), fact.sources[0].numeral.number),)


def _number_of(source: Source) -> tuple[int, int]:
    start = source.numeral.number_start - source.numeral.start + source.span[0]
    return start, start + len(source.numeral.number)


def exchanged(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """Two numbers of one sentence in each other's place; right where the headline's moves along."""
    if not fact.copied:
        return None
    source = fact.sources[0]
    able = [
        (other, number)
        for other in alike(fact)
        if other.row == source.row and (number := written(other.numeral.value, fact.numeral)) is not None
    ]
    if not able:
        return None
    other, number = draw.choice(able)
    (a, b), (c, d) = source.span, other.span
    if b > c and d > a:
        return None
    text = MarkedText(source.sentence, (source.span, other.span))
    for start, end, new in sorted([(a, b, text.text[c:d]), (c, d, text.text[a:b])], reverse=True):
        text = text.replaced(start, end, new)
    marked = MarkedText(text.text, (text.spans[0 if right else 1],))
    return (in_slot(pair[0], fact.numeral, number) if right else pair[0]), (marked,)


def derived_from_others(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """Sum or difference of two numbers that have nothing to do with it."""
    others = alike(fact)
    if len(others) < 2:
        return None
    first, second = draw.sample(others, 2)
    value = first.numeral.value - second.numeral.value
    if value <= 0 or draw.random() < 0.4:
        value = first.numeral.value + second.numeral.value
    number = written(value, fact.numeral)
    if number is None or number == fact.numeral.number:
        return None
    return in_slot(pair[0], fact.numeral, number), marked_passages([first, second])


def renumbered(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    number = fact.numeral.number
    if not fact.copied or fact.sources[0].numeral.number != number:
        return None
    other = "".join(str(draw.randrange(1, 10)) if sign.isdigit() else sign for sign in number)
    text = pair[1][0].replaced(*_number_of(fact.sources[0]), other)
    return in_slot(pair[0], fact.numeral, other), (text,)


def _ending(word: str) -> str:
    return next(ending for ending in _ENDINGS if word.lower().endswith(ending))
