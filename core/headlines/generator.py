"""What writes headlines, what may be asked of it, and the list of all generators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core.errors import DataSourceError, InputError, ModelUnavailableError
from core.models.language_models.language_model import (
    LONG_WORDS,
    SHORT_WORDS,
    Length,
    has_number,
    is_question,
    length_of,
)
from core.registry import Registry
from core.runtime import Runtime

MOST_CANDIDATES = 20


class HeadlineStyle(StrEnum):
    """How a headline is to be put."""

    NEUTRAL = "neutral"
    QUESTION = "question"
    NUMBER = "number"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """What is asked of every headline of a call.

    Attributes:
        candidates: Headlines an article, 1 to `MOST_CANDIDATES`.
        style: See `HeadlineStyle`; a generator without styles writes as it always does.
        length: See `Length`.
        most_words: Words at most; longer ones are cut at a word, 0 for the generator's own limit.
        sample: Draw words at random instead of searching for the likeliest.
        temperature: Of sampling, above 0; higher is bolder.
        top_p: Of sampling: words from the likeliest ones that hold this share, above 0, at most 1.
    """

    candidates: int = 1
    style: HeadlineStyle = HeadlineStyle.NEUTRAL
    length: Length = Length.USUAL
    most_words: int = 0
    sample: bool = False
    temperature: float = 0.8
    top_p: float = 0.9

    def __post_init__(self) -> None:
        if not 1 <= self.candidates <= MOST_CANDIDATES:
            raise InputError(
                f"There cannot be {self.candidates} candidates.",
                hint=f"Ask for 1 to {MOST_CANDIDATES} headlines an article.",
            )
        if not self.temperature > 0:
            raise InputError("The temperature must be above 0.", hint="0.8 is usual; higher is bolder.")
        if not 0 < self.top_p <= 1:
            raise InputError("`top_p` must be above 0 and at most 1.", hint="0.9 is usual.")
        if self.most_words < 0:
            raise InputError("The number of words cannot be negative.", hint="Give 0 for no limit.")

    def bounds(self, least: int = 1, most: int = 0) -> tuple[int, int]:
        """Words at least and at most, 0 for no limit."""
        if self.length is Length.SHORT:
            most = SHORT_WORDS
        if self.length is Length.LONG:
            least = LONG_WORDS
        if self.most_words:
            most = min(most or self.most_words, self.most_words)
        return (min(least, most) if most else least), most


@dataclass(frozen=True, slots=True)
class HeadlineCandidate:
    """One headline.

    Attributes:
        text: One line, no space at its ends, no unknown-word sign; "" only where the article holds no
            word.
        score: Mean log-likelihood a token with the generator's length penalty, or the method's own score;
            higher is better, comparable within one article only.
        instead: Why the article's own words stand here in place of a written headline, a sentence; "" for a
            headline that was written.
        caution: Why its numbers are to be checked or are wrong, a sentence; "" where nothing speaks against
            them, or nobody looked.
    """

    text: str
    score: float
    instead: str = ""
    caution: str = ""


def kept_wishes(headline: str, wishes: Wishes) -> int:
    """How many wishes a headline fulfils."""
    return sum(
        (
            wishes.style is HeadlineStyle.QUESTION and is_question(headline),
            wishes.style is HeadlineStyle.NUMBER and has_number(headline),
            wishes.length is not Length.USUAL and length_of(headline) is wishes.length,
        )
    )


class Generator(Protocol):
    """A loaded generator."""

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        """Writes headlines.

        The result for an article does not depend on the other articles (sampling draws from the seed and
        the article's own text).

        Args:
            articles: Plain texts, "" allowed.
            wishes: What is asked.
            runtime: Progress, stop, seed.

        Returns:
            For each article its candidates, best first, at least one and at most `wishes.candidates`, all
            different.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        ...


class GeneratorRecipe(Protocol):
    """How to load a generator: a frozen dataclass whose fields are its parameters."""

    summary: ClassVar[str]

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes of the languages it writes; empty for any."""
        ...

    @property
    def styles(self) -> frozenset[HeadlineStyle]:
        """Styles it can follow beside neutral."""
        ...

    def check(self) -> None:
        """Looks for its weights without loading them.

        Raises:
            ModelUnavailableError: They are not on this machine; the hint says how to get them.
        """
        ...

    def build(self, runtime: Runtime) -> Generator:
        """Loads it.

        Raises:
            ModelUnavailableError: Its weights are not on this machine, or damaged.
        """
        ...


headline_generators: Registry[GeneratorRecipe] = Registry("headline generator", "core.headlines.generators")


FILE: Final = "headline_model.json"
"""What `headline-lab train headlines` writes beside a model that it has trained."""

FORMAT: Final = "headline-lab-headline-model"
_DAMAGED: Final = (DataSourceError, OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)


@contextmanager
def readable(what: str, folder: Path) -> Iterator[None]:
    """Says in one sentence that a part of a headline model cannot be read."""
    try:
        yield
    except _DAMAGED as error:
        raise ModelUnavailableError(
            f"The {what} of the headline model {folder} is missing, damaged or of another version.",
            hint="Copy the model again, or train it again.",
        ) from error
