"""What the claim model learns from: right headlines with their sentences, and wrong ones made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from core.data.articles.sets import WrittenClaim
from core.numerals.checking import Checker, recipe_of
from core.numerals.claims.claim import ClaimPlace, question_of, read_claim
from core.numerals.claims.weights import read_claim_weights
from core.numerals.entailing.question import ClaimClass, ClaimQuestion
from core.numerals.weighing.weights import read_weights
from core.runtime import Runtime
from research.training.numerals import claim_changes as change
from research.training.numerals.claim_changes import (
    Pair,
    asked,
    bounded,
    hedged,
    plain_pair,
    rounded_with_bound,
)
from research.training.numerals.claim_facts import ClaimFact, MarkedText, in_slot, like, written
from research.training.numerals.claim_rivals import (
    counted_otherwise,
    derived_from_others,
    exchanged,
    held_by_another,
    put_elsewhere,
    renumbered,
    swapped,
)

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ENDINGS: Final = ("ing", "ed", "s", "")
_JOINTS: Final = ("; ", ", ", "; ", " | ", " as ", ", and ")


@dataclass(frozen=True, slots=True)
class ClaimExample:
    question: ClaimQuestion
    answer: ClaimClass


class ClaimWriter:
    """Makes examples of facts; the same for the same fact and seed."""

    def __init__(self, facts: Sequence[ClaimFact]) -> None:
        self._facts = facts
        self._pool: dict[str, list[str]] = {ending: [] for ending in _ENDINGS}
        for fact in facts:
            for word in _WORD.findall(fact.question.headline):
                self._pool[_ending(word)].append(word)

    def examples(self, fact: ClaimFact, seed: int) -> list[ClaimExample]:
        """Examples for an epoch: two right ones where a second can be made, and up to three wrong ones."""
        draw = Random(f"{seed}|{fact.row}|{fact.question.headline}")  # noqa: S311 - not for secrets
        plain = plain_pair(fact)
        found = [ClaimExample(asked(plain), ClaimClass.SUPPORTED)]
        second = change.changed_by(self._right(fact), plain, draw)
        if second is not None:
            found.append(ClaimExample(asked(second), ClaimClass.SUPPORTED))
        wrong = list(self._wrong(fact))
        taken: list[object] = []
        others = [one for one in wrong if one[2] is ClaimClass.OTHER]
        claims = [one for one in wrong if one[2] in (ClaimClass.CLAIM, ClaimClass.HOLDER)]
        for choices in (others, claims, wrong):
            left = [one for one in choices if one[1] not in taken]
            while left:
                at = draw.choices(range(len(left)), [one[0] for one in left])[0]
                _, how, answer = left.pop(at)
                changed = how(plain, draw)
                if changed is not None and changed != plain:
                    found.append(ClaimExample(asked(changed), answer))
                    # The same once more teaches less than something else.
                    taken.append(how)
                    break
        return found

    def _right(self, fact: ClaimFact) -> list[tuple[float, Callable[[Pair, Random], Pair | None]]]:
        return [
            (2.0, change.flip_both),
            (2.0, change.unit_both),
            (1.0, lambda pair, draw: bounded(fact, pair, draw, right=True)),
            (1.0, lambda pair, draw: rounded_with_bound(fact, pair, draw, right=True)),
            (1.0, lambda pair, draw: renumbered(fact, pair, draw)),
            (1.0, lambda pair, draw: exchanged(fact, pair, draw, right=True)),
            (0.4, lambda pair, draw: self._joined(fact, draw, right=True)),
            (0.3, lambda pair, draw: hedged(fact, pair, draw)),
        ]

    def _wrong(
        self, fact: ClaimFact
    ) -> list[tuple[float, Callable[[Pair, Random], Pair | None], ClaimClass]]:
        share = 0.3 if len(fact.sources) > 1 else 0.1
        return [
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
        found = draw.choice(able)
        other = draw.choice(self._pool[_ending(found[0])])
        if other.lower()[:4] == found[0].lower()[:4]:
            return None
        return pair[0].replaced(*found.span(), like(other.lower(), found[0])), pair[1]

    def _joined(self, fact: ClaimFact, draw: Random, *, right: bool) -> Pair | None:
        other = draw.choice(self._facts)
        one, two = plain_pair(fact), plain_pair(other)
        if len(one[0].text) + len(two[0].text) > 130 or other.numeral.value == fact.numeral.value:
            return None
        if right:
            first, second, sentences = one[0], two[0], one[1]
        else:
            numbers = written(other.numeral.value, fact.numeral), written(fact.numeral.value, other.numeral)
            if numbers[0] is None or numbers[1] is None:
                return None
            first = in_slot(one[0], fact.numeral, numbers[0])
            second = in_slot(two[0], other.numeral, numbers[1])
            sentences = two[1]
        joint = draw.choice(_JOINTS)
        if draw.random() < 0.5:
            return MarkedText(f"{first.text}{joint}{second.text}", first.spans), sentences
        before = len(second.text) + len(joint)
        start, end = first.spans[0]
        return MarkedText(f"{second.text}{joint}{first.text}", ((start + before, end + before),)), sentences


def _ending(word: str) -> str:
    return next(ending for ending in _ENDINGS if word.lower().endswith(ending))


STEP: Final = "Reading written headlines"
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    question: ClaimQuestion
    true: bool


def written_questions(claims: Sequence[WrittenClaim], runtime: Runtime) -> list[WrittenQuestion]:
    """The questions about the numbers in question; those without a source in the article are left out."""
    if not claims:
        return []
    recipe = recipe_of(None)
    weights = read_claim_weights()
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), weights, system="")
    found = []
    for start in runtime.track(range(0, len(claims), _AT_ONCE), STEP):
        some = claims[start : start + _AT_ONCE]
        headlines, articles = [one.headline for one in some], [one.article for one in some]
        for claim, places in zip(some, checker.places(headlines, articles, runtime), strict=True):
            question = _asked(claim, places)
            if question is not None:
                found.append(WrittenQuestion(question, claim.true))
    return found


def _asked(claim: WrittenClaim, places: Sequence[ClaimPlace]) -> ClaimQuestion | None:
    for place in places:
        if place.numeral.start < claim.end and claim.start < place.numeral.end:
            return question_of(read_claim(place, [other for other in places if other is not place]))
    return None
