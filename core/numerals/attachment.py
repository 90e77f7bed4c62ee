"""Which numeral of the article belongs at a place of the headline, judged without seeing what stands there.

The number of the headline is masked: what is said here about "11" in "11 top suspects" depends on the words
around it alone, so that a right number that is attached to the wrong thing can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.numerals.question import Question
from core.registry import Registry
from core.runtime import Runtime

WAYS: Final = ("copy", "trans", "paraphrase", "round", "add", "subtract", "other")
"""How the number at the place may have come about, in the order of `Attachment.ways`; SRound is "round",
Span, Divide and Multiply are "other"; a nested expression is what its outermost operator is, but a
Paraphrase inside a Round is "round"."""


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """What belongs at one place.

    Attributes:
        numerals: For each numeral of the article a log-odds-like score, float64 [n]; higher is likelier to be
            what the place takes its number from. Comparable within the question; softmax gives shares.
        ways: Log-probability of each of `WAYS`, float64 [7].
    """

    numerals: npt.NDArray[np.float64]
    ways: npt.NDArray[np.float64]


class Attacher(Protocol):
    """A loaded judge."""

    def attach(self, questions: Sequence[Question], runtime: Runtime) -> list[Attachment]:
        """Judges places; the result of one does not depend on the others.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        ...


class AttacherRecipe(Protocol):
    """How to load a judge: a frozen dataclass whose fields are its parameters.

    Attributes:
        summary: What it is in one line.
        languages: ISO 639-1 codes of the languages it knows; empty for any.
    """

    summary: ClassVar[str]
    languages: ClassVar[frozenset[str]]

    @property
    def folder(self) -> Path:
        """Folder of its weights, and of what weighs its scores (`core.numerals.weighing`)."""
        ...

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights.taking_part`."""
        ...

    def check(self) -> None:
        """Looks for its weights without loading them.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """
        ...

    def build(self, runtime: Runtime) -> Attacher:
        """Loads it.

        Raises:
            ModelUnavailableError: Its weights are not on this machine, or damaged.
        """
        ...


numeral_attachers: Registry[AttacherRecipe] = Registry("numeral attacher", "core.numerals.attachments")
