"""What a tuned language model is told about the headline that it is to write.

Training writes what is true of the reference headline; writing writes what is wished.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Length(StrEnum):
    """How long a headline is to be: up to 6 words, the writer's own length, 10 words or more."""

    SHORT = "short"
    USUAL = "usual"
    LONG = "long"


SHORT_WORDS: Final = 6
LONG_WORDS: Final = 10
"""A headline of up to 6 words is short, one of 10 or more is long."""

BEFORE: Final = "<|endoftext|>"
"""What stands before the article: what separated documents where SmolLM2 was pre-trained."""

END: Final = "\n"


def after_text(length: Length, *, question: bool, number: bool) -> str:
    """What stands between article and headline."""
    told = [length.value, *(["question"] if question else []), *(["number"] if number else [])]
    return f"\n\nHeadline ({', '.join(told)}):\n"


def length_of(headline: str) -> Length:
    """How long a headline is, by its words."""
    words = len(headline.split())
    if words <= SHORT_WORDS:
        return Length.SHORT
    return Length.LONG if words >= LONG_WORDS else Length.USUAL


def is_question(headline: str) -> bool:
    """Whether a headline ends with a question mark."""
    return headline.rstrip().endswith("?")


def has_number(headline: str) -> bool:
    """Whether a headline holds a digit."""
    return any(letter.isdigit() for letter in headline)
