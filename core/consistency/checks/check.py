"""What a check is, what its cases are, and the list of all families."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, TypeVar

import numpy as np

from core.registry import Registry
from core.text.names import learn_names


class CheckKind(StrEnum):
    """What a family of changes must do to decisions."""

    INVARIANT = "invariant"
    DIRECTIONAL = "directional"


class Expected(StrEnum):
    """What a case asks of a scorer."""

    SAME = "same"
    DIFFERENT = "different"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class DatedHeadline:
    """A headline as a check sees it."""

    text: str
    date: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One question to a scorer.

    Attributes:
        check: Name of the family, or the user's own.
        a, b: The two headlines.
        date_a, date_b: Their days; None where unknown.
        expected: `SAME` and `DIFFERENT` ask for that decision about a and b; `UNCHANGED` asks for the
            decision that the scorer gives the original pair.
        original_a, original_b: The pair before the change, on the same days; "" unless `UNCHANGED`.
    """

    check: str
    a: str
    b: str
    date_a: datetime.date | None
    date_b: datetime.date | None
    expected: Expected
    original_a: str = ""
    original_b: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What cases are made from."""

    headlines: Sequence[DatedHeadline]
    pairs: Sequence[tuple[int, int]]
    names: frozenset[str]


class Check(ABC):
    """Base of all checks: frozen dataclasses that change headlines.

    Attributes:
        summary: One line for people.
        kind: Whether decisions must stay, as is the default, or become "different".
    """

    __slots__ = ()
    summary: ClassVar[str]
    kind: ClassVar[CheckKind] = CheckKind.INVARIANT

    def change(
        self, told: DatedHeadline, material: Material, random: np.random.Generator
    ) -> DatedHeadline | None:
        """The headline changed in this way; None where there is nothing to change."""
        text = self.reworded(told.text, material, random)
        return None if text is None else replace(told, text=text)

    @abstractmethod
    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        """The text changed in this way, for checks that leave the date alone; see `change`."""


checks: Registry[Check] = Registry("check", "core.consistency.checks")

T = TypeVar("T")


def drawn(choices: Sequence[T], random: np.random.Generator) -> T:
    return choices[int(random.integers(len(choices)))]


def spliced(text: str, start: int, end: int, other: str) -> str:
    return text[:start] + other + text[end:]


def material(headlines: Sequence[DatedHeadline], pairs: Sequence[tuple[int, int]]) -> Material:
    """Headlines with the names that are learnt from all of them."""
    return Material(headlines, pairs, learn_names(told.text for told in headlines))


def make_cases(name: str, given: Material, *, most: int = 100, seed: int = 0) -> list[Case]:
    """Cases of one family.

    An invariant family changes the first headline of a pair and expects the decision of the original
    pair. A directional one sets a headline beside its changed self and expects "different".

    Source: Ribeiro et al. (2020), "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList",
    for invariance and directional expectation tests.

    Args:
        name: Registered name of the family.
        given: Headlines and pairs; where none can be changed there are no cases.
        most: No more than this many; headlines or pairs are drawn without replacement.
        seed: Of the drawing and of the changes.

    Raises:
        UnknownNameError: There is no such family.
    """
    check = checks.parse(name)
    qualified = checks.name_of(check)
    random = np.random.default_rng(seed)
    invariant = check.kind is CheckKind.INVARIANT
    found: list[Case] = []
    for place in random.permutation(len(given.pairs) if invariant else len(given.headlines)).tolist():
        if len(found) == most:
            break
        left, right = given.pairs[place] if invariant else (place, place)
        before, other = given.headlines[left], given.headlines[right]
        after = check.change(before, given, random)
        if after is None or after == before:
            continue
        question = (
            after.text,
            other.text,
            after.date,
            other.date,
            Expected.UNCHANGED,
            before.text,
            other.text,
        )
        if not invariant:
            question = (before.text, after.text, before.date, after.date, Expected.DIFFERENT, "", "")
        found.append(Case(qualified, *question))
    return found
