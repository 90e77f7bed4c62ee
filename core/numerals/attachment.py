"""Which numeral of the article belongs at a place of the headline, judged without seeing what stands there.

The number of the headline is masked: what is said here about "11" in "11 top suspects" depends on the words
around it alone, so that a right number that is attached to the wrong thing is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
from core.models.weights import folder_named
from core.models.weights.cards import SHIPPED
from core.numerals.entailing.rereading import rereading
from core.numerals.question import NumeralQuestion
from core.registry import Registry
from core.runtime import Runtime

WAYS: Final = ("copy", "trans", "paraphrase", "round", "add", "subtract", "other")
"""How the number at the place may be derived, in the order of `Attachment.ways`; SRound is "round",
Span, Divide and Multiply are "other"; a nested expression is what its outermost operator is, but a
Paraphrase inside a Round is "round"."""


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """What belongs at one place.

    Attributes:
        numerals: For each numeral of the article a log-odds-like score, float64 [n]; higher is likelier to be
            where the number of the place comes from. Comparable within the question; softmax gives shares.
        ways: Log-probability of each of `WAYS`, float64 [7].
    """

    numerals: npt.NDArray[np.float64]
    ways: npt.NDArray[np.float64]


class Attacher(Protocol):
    """A loaded judge."""

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        """Judges places; the result of one does not depend on the others.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        ...


CLAIMS: Final = SHIPPED / "numeral_claims"
"""Folder of what judges claims (`core.numerals.claims`), whichever attacher is used."""


def claims_read() -> tuple[Path, ...]:
    """Folder of the network that reads claims, and what a second reading reads."""
    return (SHIPPED / "claim_minilm", *rereading())


@dataclass(frozen=True, kw_only=True, slots=True)
class AttacherRecipe:
    """How to load a judge: its fields are its parameters.

    Attributes:
        summary: What it is in one line.
        languages: ISO 639-1 codes of the languages it knows; empty for any.
        shipped: Folder of the weights that ship.
        files: Files that a folder has to hold.
        missing: What is not there, where one of them is missing.
        trained_with: Command that trains them.
        with_network: Whether a network also reads the claims; see `core.numerals.entailing`.
    """

    summary: ClassVar[str]
    languages: ClassVar[frozenset[str]] = frozenset()
    shipped: ClassVar[Path]
    files: ClassVar[tuple[str, ...]]
    missing: ClassVar[str]
    trained_with: ClassVar[str] = "headline-lab train numerals --out FOLDER"
    with_network: ClassVar[bool] = True

    model: str = field(
        default="",
        metadata={"help": "folder of a model of `headline-lab train numerals`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        """Folder of its weights, and of what weighs its scores (`core.numerals.weighing`)."""
        return folder_named(self.model) if self.model else self.shipped

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads, and the trees of claims, which judge what it finds.

        See `core.models.weights.files`.
        """
        return (self.folder, CLAIMS, *(claims_read() if self.with_network else ()))

    def check(self) -> None:
        """Looks for its weights without loading them.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """
        if not all((self.folder / name).is_file() for name in self.files):
            raise ModelUnavailableError(
                f"There {self.missing} in {self.folder}.",
                hint=f"Train one with `{self.trained_with}`, and give FOLDER.",
            )

    def build(self, runtime: Runtime) -> Attacher:
        """Loads it."""
        raise NotImplementedError


numeral_attachers: Registry[AttacherRecipe] = Registry("numeral attacher", "core.numerals.attachments")


def shares_of(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Scores as shares of one, by a softmax: float64 [n]; [0] of no scores."""
    if not len(scores):
        return np.zeros(0)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
