"""The methods that judge what belongs where in an article by a network, alone or with trees over words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.models.cards import SHIPPED
from core.models.networks.precision import quickest
from core.models.weights import locate
from core.numerals.lexical import Lexical
from core.numerals.question import CLAIMS, Aligner, AlignerRecipe, Alignment, NumeralQuestion, source_aligners
from core.registry import told
from core.runtime import Runtime

if TYPE_CHECKING:
    from research.pointing import PointerModel

POINTER_FILE: Final = "pointer.safetensors"  # what a folder of the network that points holds
POINTER_BASE: Final = "minilm"  # the encoder that its low-rank updates belong to
NETWORK: Final = 0.3
WORDS: Final = 0.7
"""What the log-shares of the two are multiplied by, chosen on training rows that neither has learned: right
for .865, mean log-share of the right numerals -.411; with half of each .853 and -.498."""
SURE: Final = 0.7  # where a numeral has this share by words, the network is not asked: 54 % of the same rows
SHARPER: Final = 1.2  # what log-shares by words are multiplied by where the network is not asked
READ: Final = 0.98
"""The network reads the fewest sentences whose numerals have this share by words: 118 tokens, not 164."""
UNREAD: Final = (1.45, -6.9)
"""Slope and intercept of what the network's log-share of a numeral in another sentence is taken for, by that
of the words: a straight line through what it gives on the same rows to those that words think unlikely."""


@source_aligners.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerAligner(AlignerRecipe):
    """MiniLM with low-rank updates over the masked headline and the article's sentences with numerals.

    A numeral is scored by the mean of its tokens' vectors, the mask's vector and their product. Trained on
    annotated rows of NumHG; it knows English, and reads other languages by their digits alone.

    Source: Vinyals et al. 2015, "Pointer Networks", for pointing; Wang et al. 2020 (MiniLM) for the encoder;
    Hu et al. 2022 for the updates; the arrangement is ours.
    """

    summary: ClassVar[str] = "A network points from the headline's blank to the article's numerals (MiniLM)"
    numbers = staticmethod(quickest)
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    shipped: ClassVar[Path] = SHIPPED / "numeral_pointer"
    files: ClassVar[tuple[str, ...]] = (POINTER_FILE,)
    missing: ClassVar[str] = "is no pointer network"

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder, locate(POINTER_BASE), CLAIMS)

    def build(self, runtime: Runtime) -> "PointerModel":
        self.check()
        from research.pointing import open_pointer

        return open_pointer(self.folder / POINTER_FILE, locate(POINTER_BASE), runtime)


@source_aligners.register("blend.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Blend(AlignerRecipe):
    """Weighted sum of what `pointer.v1` and `lexical.v1` say: the network is sure of itself too often.

    The network reads English, and is asked where the words leave doubt, about the sentences that they do not
    rule out; for articles in other languages, and where they are sure, the trees over words answer alone.

    Source: ours; a product of experts (Hinton 2002), weights chosen on training rows kept from both.
    """

    summary: ClassVar[str] = "The network that points and the trees over words together"
    shipped: ClassVar[Path] = SHIPPED / "numeral_blend"
    files: ClassVar[tuple[str, ...]] = ("numerals.json",)
    missing: ClassVar[str] = "are no weights of numerals"
    trained_with: ClassVar[str] = "headline-lab train numerals --aligner blend --out FOLDER"

    model: str = told("", "folder of what weighs its scores; empty for the one that ships")

    @property
    def inside(self) -> tuple[AlignerRecipe, ...]:
        return PointerAligner(), Lexical()

    def check(self) -> None:
        for recipe in self.inside:
            recipe.check()
        if not self.model:
            AlignerRecipe.check(self)

    def build(self, runtime: Runtime) -> Aligner:
        return LoadedBlend(PointerAligner().build(runtime), Lexical().build(runtime))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedBlend:
    network: "PointerModel"  # of `pointer.v1`
    words: Aligner  # of `lexical.v1`

    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        words = self.words.align(questions, runtime)
        words = [Alignment(log_shares(word.numerals), word.ways) for word in words]
        alignments = [by_words(*both) for both in zip(questions, words, strict=True)]
        doubted = [
            row
            for row, word in enumerate(words)
            if _is_known(questions[row]) and len(word.numerals) and word.numerals.max() < math.log(SURE)
        ]
        asked = [questions[row] for row in doubted]
        within = [_worth_reading(questions[row], words[row]) for row in doubted]
        seen = self.network.align_within(asked, within, runtime) if asked else []
        for row, chosen, alignment in zip(doubted, within, seen, strict=True):
            read = np.isin(questions[row].article.places, list(chosen))
            alignments[row] = _joined(alignment, words[row], read)
        return alignments


def _is_known(question: NumeralQuestion) -> bool:
    return question.article.language in PointerAligner.languages


def by_words(question: NumeralQuestion, words: Alignment) -> Alignment:
    """What the words say without the network; as surely as both together would, where it is not needed."""
    return Alignment(log_shares(SHARPER * words.numerals), words.ways) if _is_known(question) else words


def _worth_reading(question: NumeralQuestion, words: Alignment) -> frozenset[int]:
    shares: dict[int, float] = {}
    for place, share in zip(question.article.places, np.exp(words.numerals).tolist(), strict=True):
        shares[place] = shares.get(place, 0.0) + share
    order = sorted(shares, key=lambda place: (-shares[place], place))
    needed = int(np.searchsorted(np.cumsum([shares[place] for place in order]), READ)) + 1
    return frozenset(order[:needed])


def _joined(network: Alignment, words: Alignment, read: npt.NDArray[np.bool_]) -> Alignment:
    scores = UNREAD[0] * words.numerals + UNREAD[1]
    scores[read] = log_shares(network.numerals[read])
    return Alignment(
        NETWORK * log_shares(scores) + WORDS * words.numerals, log_shares((network.ways + words.ways) / 2)
    )


def log_shares(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Scores less the logarithm of the sum of their powers, float64 [n]."""
    if not len(scores):
        return scores
    return np.asarray(scores - scores.max() - np.log(np.exp(scores - scores.max()).sum()))
