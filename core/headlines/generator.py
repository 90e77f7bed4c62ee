"""What writes headlines, what may be asked of it, all generators; sentences as headlines, and warnings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Final, Protocol

from core.data.articles.articles import READ_CHARACTERS
from core.errors import InputError
from core.models.language_models import language_model
from core.registry import Registry
from core.runtime import Runtime
from core.text.language import split_sentences
from core.text.normalise import clean_line, comparison_key, without_dateline
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals
from core.text.support import copied, read_source
from core.text.tokens import tokenize

MOST_CANDIDATES = 20


class HeadlineStyle(StrEnum):
    """How a headline is to be put."""

    NEUTRAL = "neutral"
    QUESTION = "question"
    NUMBER = "number"


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationOptions:
    """What is asked of every headline of a call."""

    candidates: int = 1  # headlines an article, 1 to `MOST_CANDIDATES`
    style: HeadlineStyle = HeadlineStyle.NEUTRAL  # a generator without styles writes as it always does
    length: language_model.Length = language_model.Length.USUAL
    most_words: int = 0  # longer headlines are cut at a word; 0 for the generator's own limit
    sample: bool = False  # draw words at random instead of searching for the likeliest
    temperature: float = 0.8  # of sampling, above 0; higher is bolder
    top_p: float = 0.9  # of sampling: words from the likeliest ones that hold this share, above 0, at most 1

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
        """Writes headlines; raises Cancelled where the runtime's stop was set.

        For each article, which may be "", its candidates, best first, at least one and at most
        `options.candidates`, all different. They do not depend on the other articles (sampling draws from the
        seed and the article's own text).
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


FILE: Final = "headline_model.json"  # beside a model of `headline-lab train headlines`


def first_sentence(text: str, language: str | None = None) -> str:
    """The first sentence that says something: three words or more; else the first one, "" of "".

    Source: the "First Sentence" baseline of Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019"; the agency's dateline is left out, as the sentence after it is meant.
    """
    return next(iter(leading(text, language)), "")


def leading(text: str, language: str | None = None) -> list[str]:
    """The sentences of three words or more, in order, without a dateline; all where none has three."""
    lines = split_sentences(without_dateline(text[:READ_CHARACTERS]), language=language)
    worded = [line for line in lines if any(map(str.isalnum, line))]
    return list(dict.fromkeys([line for line in worded if len(tokenize(line)) > 2] or worded))


def shortened(sentence: str, most_words: int) -> str:
    """The first `most_words` words of a sentence; the whole sentence for 0 or where it is shorter."""
    words = sentence.split()
    if not 0 < most_words < len(words):
        return " ".join(words)
    return " ".join(words[:most_words]).rstrip(" ,;:–—-")


_LABEL: Final = re.compile(r"(?:news\s+)?(?:headline|title|заголовок|titolo)\s*[:：]\s*", re.IGNORECASE)
_UNKNOWN: Final = re.compile(r"[<⟨]unk[>⟩]|\[UNK\]|⁇|\ufffd", re.IGNORECASE)
_MARKUP: Final = "*_#` "
_QUOTES: Final = ('""', "''", "“”", "‘’", "«»", "„“")


def has_unknown_word(headline: str) -> bool:
    """Whether a headline holds a sign that stands for a word its writer did not know, such as <UNK>."""
    return bool(_UNKNOWN.search(headline))


def clean_headline(text: str, *, most_words: int = 0) -> str:
    """The first line that says something, without label, markup, quotation marks, full stop and the like."""
    lines = (clean_line(_UNKNOWN.sub("", line)) for line in text.splitlines())
    for line in lines:
        bare = _LABEL.sub("", line.strip(_MARKUP), count=1) if _LABEL.match(line.strip(_MARKUP)) else line
        bare = shortened(_unquoted(bare.strip(_MARKUP)), most_words)
        bare = _unquoted(bare)
        last = bare.rpartition(" ")[2]
        if last.endswith(".") and last.count(".") == 1:
            bare = bare[:-1].rstrip()
        if any(map(str.isalnum, bare)):
            return bare
    return ""


def _unquoted(line: str) -> str:
    for left, right in _QUOTES:
        inside, around = line[1:-1], (line[:1], line[-1:]) == (left, right) and len(line) > 2
        if around and left not in inside and right not in inside:
            return inside.strip()
        if left != "'" and line.count(left) + (line.count(right) if left != right else 0) == 1:
            line = line.removeprefix(left).removesuffix(right).strip()
    return line


COPIED_SHARE: Final = 0.75
"""Share of a headline's words in one run of the article's first sentence from which it counts as copied.

Of the headlines that people gave the 7,709 training articles of NumHG, 0.1 % reach it.
"""

FEWEST_COPIED: Final = 4  # words of such a run: shorter ones are names and numbers that every headline has


class WarningKind(StrEnum):
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    COPIED = "copied"
    FOREIGN = "foreign"


def warnings_of(headline: str, article: str, others: Sequence[str]) -> dict[WarningKind, str]:
    """What is wrong with a headline, a sentence each."""
    if not any(map(str.isalnum, headline)):
        return {WarningKind.EMPTY: "The headline has no word."}
    warnings = {}
    key = comparison_key(headline)
    same = sum(comparison_key(other) == key for other in others)
    if same:
        times = "another headline" if same == 1 else f"{same} other headlines"
        warnings[WarningKind.DUPLICATE] = f"It is worded like {times}."
    share = copied_share(headline, article)
    if share is not None and share >= COPIED_SHARE:
        copied_words = f"{share:.0%} of its words are copied from the article's first sentence."
        warnings[WarningKind.COPIED] = copied_words
    if foreign := foreign_words(headline, article):
        warnings[WarningKind.FOREIGN] = not_said(foreign)
    return warnings


BEGINNING: Final = 4  # letters with which two forms of a word begin alike, at least
ENDING: Final = 4  # letters behind what two forms have alike, at most
_APOSTROPHE: Final = re.compile("['’]")


def foreign_words(headline: str, article: str) -> list[str]:
    """Words of a headline, but numbers and function words, that its article has in no form or other word."""
    from rapidfuzz.distance import Prefix

    from core.numerals.claims.words import words_of

    language, forms, said = _words_of_article(article)
    if not forms:
        return []

    def is_known(form: str) -> bool:
        alike = ((Prefix.similarity(form, other), other) for other in forms)
        return any(
            shared >= BEGINNING and max(len(form), len(other)) - shared <= ENDING for shared, other in alike
        )

    words = [(word, _APOSTROPHE.split(word.form)[0]) for word in words_of(headline, language) if word.content]
    return [
        word.text
        for word, form in words
        if len(form) >= BEGINNING
        and not is_known(form)
        and said.isdisjoint(word.predicates)
        and not read_numerals(word.text, language=language)
    ]


@lru_cache(maxsize=64)
def _words_of_article(article: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """Its language, the forms of its words, and what they say, by the lists of `words.toml`."""
    from core.numerals.claims.words import words_of

    language = language_of(article)
    words = words_of(article, language)
    return (
        language,
        frozenset(word.form for word in words),
        frozenset().union(*(word.predicates for word in words)),
    )


def not_said(foreign: Sequence[str]) -> str:
    words = " or ".join(f"“{word}”" for word in foreign[:3])
    return f"The article does not say {words}."


def copied_share(headline: str, article: str) -> float | None:
    """Share of a headline's words in the longest run of the first sentence, 0–1; see `FEWEST_COPIED`."""
    words = [token.text.casefold() for token in tokenize(headline)]
    source = read_source(first_sentence(article))
    if not words or not source.row.words:
        return None
    longest = max((run.words for run in copied(words, source.row)), default=0)
    return longest / len(words) if longest >= min(FEWEST_COPIED, len(words)) else 0.0
