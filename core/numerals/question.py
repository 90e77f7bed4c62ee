"""Articles whose numerals have been read, and places in headlines that are asked about."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core import limits
from core.data.articles.article_files import READ_CHARACTERS
from core.errors import InputError, ModelUnavailableError
from core.models.cards import SHIPPED
from core.models.weights import TrainedRecipe
from core.registry import Registry, told
from core.runtime import Runtime
from core.text.desk_marks import without_dateline
from core.text.numerals.languages import language_of
from core.text.numerals.likelier import likelier
from core.text.numerals.numeral import Numeral, NumeralKind
from core.text.numerals.read import read_numerals
from core.text.reading import reads
from core.text.sentences import split_sentences

BLANK: Final = "____"  # what stands for the number in NumHG's and SemEval's headlines
_RUN: Final = re.compile(r"\S+")
BLANKS: Final = re.compile(r"_{4,}")  # four or more underscores in a row are a blank
AT_ONCE: Final = 64
"""Headlines that are judged together; what is worked out of an article is kept for as many."""
WAYS: Final = ("copy", "trans", "paraphrase", "round", "add", "subtract", "other")
"""How the number at the place may be derived, in the order of `Alignment.ways`; SRound is "round",
Span, Divide and Multiply are "other"; a nested expression is what its outermost operator is, but a
Paraphrase inside a Round is "round"."""
CLAIMS: Final = SHIPPED / "numeral_claims"  # what judges claims, whichever aligner is used


@dataclass(frozen=True, slots=True, eq=False)
class ReadArticle:
    text: str  # the article, cut to the characters that systems read
    language: str  # ISO 639-1 code, one of `core.text.numerals.language_tables.LANGUAGES`
    sentences: tuple[tuple[int, int], ...]  # start and end of each sentence in characters, in order
    numerals: tuple[Numeral, ...]  # in order of `start`, not overlapping
    places: tuple[int, ...]  # for each numeral the row of its sentence in `sentences`
    # characters at the beginning that are a dateline, as NumHG's "(Sep 25, 2016 1:28 PM CDT)"; 0 without one.
    # Numerals that begin before it belong to the dateline.
    dateline: int


@dataclass(frozen=True, slots=True, eq=False)
class NumeralQuestion:
    article: ReadArticle
    headline: str  # the whole headline; of a blank the underscores are part of it
    start: int  # where the bare number (or blank) begins in `headline`, in characters from 0
    end: int  # where it ends, exclusive
    numeral: Numeral | None  # the numeral that stands there; None for a blank

    @property
    def masked(self) -> str:
        return self.holding(BLANK)

    def holding(self, number: str) -> str:
        return f"{self.headline[: self.start]}{number}{self.headline[self.end :]}"


@reads("numbers", lambda text: ReadArticle(text[:READ_CHARACTERS], "en", ((0, len(text)),), (), (), 0))
def read_article(text: str) -> ReadArticle:
    cut = text[:READ_CHARACTERS]
    language = language_of(cut)
    sentences = sentence_spans(cut, language)
    starts = [start for start, _ in sentences]
    numerals = read_numerals(cut, language=language)[: limits.ARTICLE_NUMERALS.value]
    places = tuple(max(0, bisect_right(starts, numeral.start) - 1) for numeral in numerals)
    end = len(cut.rstrip()) - len(without_dateline(cut))
    dateline = end if cut[:end].strip() else 0
    return ReadArticle(cut, language, sentences, numerals, places, dateline)


def sentence_spans(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence in characters, found again by those that are no white space."""
    places = [place for match in _RUN.finditer(text) for place in range(*match.span())]
    spans: list[tuple[int, int]] = []
    at = 0
    for sentence in split_sentences(text, language=language):
        size = sum(map(len, sentence.split()))
        if at + size > len(places):
            break
        spans.append((places[at], places[at + size - 1] + 1))
        at += size
    return tuple(spans) or (((places[0], places[-1] + 1),) if places else ())


def questions_of(headline: str, article: ReadArticle, *, names: bool = True) -> tuple[NumeralQuestion, ...]:
    """The questions of a headline's numerals; without `names` of none that is part of one: "A 9", "G7"."""
    read = read_numerals(headline, language=language_of(headline, doubtful=article.language))
    numerals = [likelier(n, article.numerals) for n in read if names or n.kind is not NumeralKind.NAME]
    return tuple(NumeralQuestion(article, headline, n.number_start, n.number_end, n) for n in numerals)


def question_at(headline: str, article: ReadArticle, start: int) -> NumeralQuestion | None:
    """The question of the numeral whose bare number stands at a place; None where none was read there."""
    questions = questions_of(headline, article)
    return next((question for question in questions if question.start <= start < question.end), None)


def blank_of(headline: str, article: ReadArticle) -> NumeralQuestion:
    check_blank(headline)
    (blank,) = BLANKS.finditer(headline)
    return NumeralQuestion(article, headline, blank.start(), blank.end(), None)


def check_blank(headline: str) -> None:
    if why := why_no_blank(headline):
        message = f"The headline {headline[:80]!r} has {why}."
        hint = f"Put one blank, {BLANK} (four underscores), where the number is missing."
        raise InputError(message, hint=hint)


def fill_in(headline: str, answer: str) -> str:
    return BLANKS.sub(lambda _: answer, headline) if answer else headline


def why_no_blank(headline: str) -> str:
    """Why nothing can be filled in, in a few words; "" where it can."""
    count = len(BLANKS.findall(headline))
    return "" if count == 1 else f"{count or 'no'} blank{'s' if count else ''}"


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    # for each numeral of the article a log-odds-like score, float64 [n]; higher is likelier to be where the
    # number of the place comes from. Comparable within the question; softmax gives shares
    numerals: npt.NDArray[np.float64]
    ways: npt.NDArray[np.float64]  # log-probability of each of `WAYS`, float64 [7]


class Aligner(Protocol):
    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        """Judges places; the result of one does not depend on the others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AlignerRecipe(TrainedRecipe):
    """How to load a judge: its fields are its parameters."""

    summary: ClassVar[str]  # what it is in one line
    languages: ClassVar[frozenset[str]] = frozenset()  # ISO 639-1 codes of those it knows; empty for any
    files: ClassVar[tuple[str, ...]]  # files that a folder has to hold
    missing: ClassVar[str]  # what is not there, where one of them is missing
    trained_with: ClassVar[str] = "headline-lab train numerals --out FOLDER"

    model: str = told("", "folder of a model of `headline-lab train numerals`; empty for the one that ships")

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder, CLAIMS)

    def check(self) -> None:
        if not all((self.folder / name).is_file() for name in self.files):
            message = f"There {self.missing} in {self.folder}."
            hint = f"Train one with `{self.trained_with}`, and give FOLDER."
            raise ModelUnavailableError(message, hint=hint)

    def build(self, runtime: Runtime) -> Aligner:
        raise NotImplementedError


source_aligners: Registry[AlignerRecipe] = Registry("source aligner", "core.numerals.lexical")


def shares_of(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Scores as shares of one, by a softmax: float64 [n]; [0] of no scores."""
    if not len(scores):
        return np.zeros(0)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
