"""What a language model is to this program: prompts, likelihoods, how it decodes, lengths of headlines."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from core.arrays import FloatArray, IntArray
from core.errors import InputError

Tokens = tuple[int, ...]  # ids in a vocabulary
INSTRUCTION: Final = "Write the headline of this news article."  # for models that follow instructions
PROMPTS: Final = ("chat", "plain", "start")  # the formats of `headline_template`
_ARTICLE: Final = "\x00"
SHORT_WORDS: Final = 6
LONG_WORDS: Final = 10  # a headline of up to 6 words is short, one of 10 or more is long
BEFORE: Final = "<|endoftext|>"  # before the article: separated documents in pre-training
END: Final = "\n"


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """What stands around a text: `before`, the text, `after`; then the continuation and `end`."""

    before: str
    after: str
    end: str  # closes the continuation and counts as part of it; "" for an open end


@dataclass(frozen=True, slots=True, eq=False)
class Likelihoods:
    mean: FloatArray  # log-likelihood a token with the end, in nats, float64 [m], 0 or less
    tokens: IntArray  # tokens that the mean is taken over, int64 [m], 1 or more


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoding:
    """How texts are written: by beam search, greedily (one beam), or by drawing tokens at random."""

    tokens: int = 32  # of a text at most, 1 or more; the end is not counted
    results: int = 1  # texts a prefix, 1 or more
    beams: int = 1  # texts that are followed at a time; at least `results` of them are
    # A text is scored by its log-likelihood over its tokens (with the end) to this power: 0 takes the
    # likeliest text, 1 the one with the likeliest tokens.
    length_penalty: float = 1.0
    no_repeat: int = 3  # so many tokens do not occur twice in the same order; 0 for no rule
    least_words: int = 1  # as they are counted between spaces; 0 allows a text without a letter
    most_words: int = 0  # 0 for no limit
    sample: bool = False  # draw `results` texts instead of searching
    temperature: float = 1.0  # of drawing, above 0
    top_p: float = 1.0  # of drawing: from the likeliest tokens that hold this share, above 0, at most 1


@dataclass(frozen=True, slots=True)
class WrittenText:
    text: str
    score: float
    ended: bool


def beginning(tokenizer: Any, start: str = "") -> str:
    """The token that begins a text: `start`, else the tokenizer's first or last one."""
    return start or tokenizer.bos_token or tokenizer.eos_token or "\n"


def headline_template(
    tokenizer: Any, prompt: str, start: str, *, wish: str = "", examples: Sequence[tuple[str, str]] = ()
) -> PromptTemplate:
    end = tokenizer.eos_token or "\n"
    if prompt == "plain":
        after = f"\n\n{wish}\nHeadline:" if wish else "\n\nHeadline:"
        before = "".join(f"{article}{after} {headline}\n\n\n" for article, headline in examples)
        return PromptTemplate(f"{start}{before}", after, "\n")
    if prompt == "start":
        return PromptTemplate("", start, end)
    if not getattr(tokenizer, "chat_template", None):
        message = "This language model has no chat template."
        raise InputError(message, hint="Set prompt to plain (or to start).")
    asked = f"{INSTRUCTION} {wish}".strip()
    turns: list[dict[str, str]] = []
    for article, headline in (*examples, (_ARTICLE, "")):
        turns.append({"role": "user", "content": f"{asked}\n\n{article}"})
        turns += [{"role": "assistant", "content": headline}] if headline else []
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    before, _, after = text.partition(_ARTICLE)
    return PromptTemplate(before, after, end)


def line_template(start: str) -> PromptTemplate:
    """A line, and the line after it, at the beginning of a text."""
    return PromptTemplate(start, "\n", "\n")


class Length(StrEnum):
    """How long a headline is to be: up to 6 words, the writer's own length, 10 words or more."""

    SHORT = "short"
    USUAL = "usual"
    LONG = "long"


def after_text(length: Length, *, question: bool, number: bool) -> str:
    notes = [length.value, *(["question"] if question else []), *(["number"] if number else [])]
    return f"\n\nHeadline ({', '.join(notes)}):\n"


def length_of(headline: str) -> Length:
    words = len(headline.split())
    if words <= SHORT_WORDS:
        return Length.SHORT
    return Length.LONG if words >= LONG_WORDS else Length.USUAL


def is_question(headline: str) -> bool:
    return headline.rstrip().endswith("?")


def has_number(headline: str) -> bool:
    return any(letter.isdigit() for letter in headline)
