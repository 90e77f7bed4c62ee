"""Prompts: what a model reads around an article, and what a tuned one is told of the headline."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from core.errors import InputError
from core.models.language_models.language_model import Frame

INSTRUCTION: Final = "Write the headline of this news article."
"""What a model that was tuned to follow instructions is asked."""

PROMPTS: Final = ("chat", "plain", "start")
"""The formats of `headline_frame`."""

_ARTICLE: Final = "\x00"


def beginning(tokenizer: Any, start: str = "") -> str:
    """The token that begins a text: `start`, else the tokenizer's first or last one."""
    return start or tokenizer.bos_token or tokenizer.eos_token or "\n"


def headline_frame(
    tokenizer: Any,
    prompt: str,
    start: str,
    *,
    wish: str = "",
    examples: Sequence[tuple[str, str]] = (),
) -> Frame:
    """Article first, headline next."""
    end = tokenizer.eos_token or "\n"
    if prompt == "plain":
        after = f"\n\n{wish}\nHeadline:" if wish else "\n\nHeadline:"
        before = "".join(f"{article}{after} {headline}\n\n\n" for article, headline in examples)
        return Frame(f"{start}{before}", after, "\n")
    if prompt == "start":
        return Frame("", start, end)
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(
            "This language model has no chat template.", hint="Set prompt to plain (or to start)."
        )
    asked = f"{INSTRUCTION} {wish}".strip()
    turns: list[dict[str, str]] = []
    for article, headline in (*examples, (_ARTICLE, "")):
        turns.append({"role": "user", "content": f"{asked}\n\n{article}"})
        turns += [{"role": "assistant", "content": headline}] if headline else []
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    before, _, after = text.partition(_ARTICLE)
    return Frame(before, after, end)


def line_frame(start: str) -> Frame:
    """A line, and the line after it, at the beginning of a text."""
    return Frame(start, "\n", "\n")


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
