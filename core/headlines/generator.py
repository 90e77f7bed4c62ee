"""What writes headlines, and what may be asked of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Protocol

from core.errors import InputError
from core.models.language_models import language_model
from core.registry import Registry
from core.runtime import Runtime

MOST_CANDIDATES = 20
FILE: Final = "headline_model.json"  # beside a model of `headline-lab train headlines`


class HeadlineStyle(StrEnum):
    """How a headline is to be put."""

    NEUTRAL = "neutral"
    QUESTION = "question"
    NUMBER = "number"


class HeadlineCase(StrEnum):
    """Which words of a headline begin with a capital."""

    WRITTEN = "as written"
    SENTENCE = "sentence"  # the first one and names
    TITLE = "title"  # all but small ones, as American papers do


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationOptions:
    """What is asked of every headline of a call."""

    candidates: int = 1  # headlines an article, 1 to `MOST_CANDIDATES`
    style: HeadlineStyle = HeadlineStyle.NEUTRAL  # a generator without styles writes as it always does
    length: language_model.Length = language_model.Length.USUAL
    case: HeadlineCase = HeadlineCase.WRITTEN
    most_words: int = 0  # longer headlines are cut at a word; 0 for the generator's own limit
    sample: bool = False  # draw words at random instead of searching for the likeliest
    temperature: float = 0.8  # of sampling, above 0; higher is bolder
    top_p: float = 0.9  # of sampling: words from the likeliest ones that hold this share, above 0, at most 1

    def __post_init__(self) -> None:
        if not 1 <= self.candidates <= MOST_CANDIDATES:
            message = f"There cannot be {self.candidates} candidates."
            raise InputError(message, hint=f"Ask for 1 to {MOST_CANDIDATES} headlines an article.")
        if not self.temperature > 0:
            raise InputError("The temperature must be above 0.", hint="0.8 is usual; higher is bolder.")
        if not 0 < self.top_p <= 1:
            raise InputError("`top_p` must be above 0 and at most 1.", hint="0.9 is usual.")
        if self.most_words < 0:
            raise InputError("The number of words cannot be negative.", hint="Give 0 for no limit.")

    def bounds(self, least: int = 1, most: int = 0) -> tuple[int, int]:
        """Words at least and at most, 0 for no limit."""
        if self.length is language_model.Length.SHORT:
            most = language_model.SHORT_WORDS
        if self.length is language_model.Length.LONG:
            least = language_model.LONG_WORDS
        if self.most_words:
            most = min(most or self.most_words, self.most_words)
        return (min(least, most) if most else least), most


@dataclass(frozen=True, slots=True)
class HeadlineCandidate:
    """One headline."""

    text: str  # one line, no space at its ends, no unknown-word sign; "" only where the article holds no word
    # Mean log-likelihood a token with the generator's length penalty, or the method's own score; higher is
    # better, comparable within one article only.
    score: float
    instead: str = ""  # why the article's own words stand here, a sentence; "" where it was written
    light: str = ""  # what the article says to its numbers, in a word; "" where it was not asked
    caution: str = ""  # why a number or a word is to be checked, or is wrong, a sentence; "" where nothing is


def options_met(headline: str, options: GenerationOptions) -> int:
    """How many options a headline fulfils."""
    return sum(
        (
            options.style is HeadlineStyle.QUESTION and language_model.is_question(headline),
            options.style is HeadlineStyle.NUMBER and language_model.has_number(headline),
            options.length is not language_model.Length.USUAL
            and language_model.length_of(headline) is options.length,
        )
    )


class Generator(Protocol):
    """A loaded generator."""

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        """For each article, which may be "", different headlines, best first, at least one.

        They do not depend on the other articles: sampling draws from the seed and the article's own text.
        Raises Cancelled where the runtime's stop was set.
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
        """Looks for its weights without loading them; ModelUnavailableError says how to get them."""
        ...

    def build(self, runtime: Runtime) -> Generator:
        """Loads it; ModelUnavailableError where its weights are not on this machine, or damaged."""
        ...


headline_generators: Registry[GeneratorRecipe] = Registry("headline generator", "core.headlines.generators")
