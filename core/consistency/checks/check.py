"""What a check is, the list of all, the words that they exchange, and the cases that one makes."""

import datetime
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final, TypeVar

import numpy as np

from core import files
from core.registry import Registry
from core.text.tokens import word_list

GIVEN: Final = files.read_tables(__file__)
NUMBER_WORDS = word_list(GIVEN["numbers"])
T = TypeVar("T")


def any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


class CheckKind(StrEnum):
    INVARIANT = "invariant"
    DIRECTIONAL = "directional"


class Expected(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class DatedHeadline:
    text: str
    date: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Case:
    check: str  # name of the family, or the user's own
    a: str
    b: str
    date_a: datetime.date | None
    date_b: datetime.date | None
    expected: Expected  # that decision; `UNCHANGED` asks for the one that the original pair gets
    original_a: str = ""  # the pair before the change, on the same days; "" unless `UNCHANGED`
    original_b: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    headlines: Sequence[DatedHeadline]
    pairs: Sequence[tuple[int, int]]
    names: frozenset[str]


class Check(ABC):
    """Base of all checks: frozen dataclasses that change headlines."""

    __slots__ = ()
    summary: ClassVar[str]  # one line for people
    kind: ClassVar[CheckKind] = CheckKind.INVARIANT  # whether decisions stay, or become "different"

    def change(
        self, headline: DatedHeadline, material: Material, random: np.random.Generator
    ) -> DatedHeadline | None:
        """The headline changed in this way; None where there is nothing to change."""
        text = self.reworded(headline.text, material, random)
        return None if text is None else replace(headline, text=text)

    @abstractmethod
    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        """The text changed in this way, for checks that leave the date alone; see `change`."""


checks: Registry[Check] = Registry("check", "core.consistency.checks")


def make_cases(name: str, given: Material, *, most: int = 100, seed: int = 0) -> list[Case]:
    """At most so many cases of one family, drawn without replacement; CheckList (Ribeiro et al. 2020)."""
    # An invariant family changes the first headline of a pair and expects the decision of the original pair;
    # a directional one sets a headline next to its changed self and expects "different".
    check = checks.parse(name)
    qualified, invariant = checks.name_of(check), check.kind is CheckKind.INVARIANT
    random = np.random.default_rng(seed)
    cases: list[Case] = []
    for place in random.permutation(len(given.pairs if invariant else given.headlines)).tolist():
        if len(cases) == most:
            break
        left, right = given.pairs[place] if invariant else (place, place)
        before, other = given.headlines[left], given.headlines[right]
        after = check.change(before, given, random)
        if after is None or after == before:
            continue
        if invariant:
            asked = (after.text, other.text, after.date, other.date, Expected.UNCHANGED)
            cases.append(Case(qualified, *asked, before.text, other.text))
        else:
            asked = (before.text, after.text, before.date, after.date, Expected.DIFFERENT)
            cases.append(Case(qualified, *asked))
    return cases


def drawn(choices: Sequence[T], random: np.random.Generator) -> T:
    return choices[int(random.integers(len(choices)))]


def spliced(text: str, start: int, end: int, other: str) -> str:
    return text[:start] + other + text[end:]


def word_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The pairs of "one/other; one/other"; a line break counts as a space."""
    split = (pair.partition("/") for pair in " ".join(text.split()).split("; "))
    return tuple((first, other) for first, _, other in split)
