"""Headlines by a causal language model: what it is asked, and which of its texts are kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.data.articles.articles import READ_CHARACTERS
from core.headlines.extractive import clean_headline, shortened
from core.headlines.generator import HeadlineCandidate, HeadlineStyle, Wishes, kept_wishes
from core.models.language_models.language_model import (
    LONG_WORDS,
    SHORT_WORDS,
    Decoding,
    Frame,
    Length,
    WrittenText,
)
from core.models.language_models.network import CausalNetwork
from core.runtime import Runtime
from core.text.datelines import without_dateline
from core.text.normalise import comparison_key

SPARE: Final = 2
"""Texts beyond the candidates that are asked for: two may read alike, or one may miss what is wished."""

ARTICLE_TOKENS: Final[dict[str, Any]] = {
    "help": "tokens of an article that are read",
    "low": 8,
    "high": 8_000,
}
HEADLINE_TOKENS: Final[dict[str, Any]] = {"help": "tokens of a headline at most", "low": 4, "high": 200}
BEAM_SIZE: Final[dict[str, Any]] = {"help": "headlines that are followed at a time", "low": 1, "high": 20}
LENGTH_PENALTY: Final[dict[str, Any]] = {
    "help": "0 for the likeliest headline, 1 for the likeliest words, more for longer ones",
    "low": 0.0,
    "high": 3.0,
    "step": 0.1,
}

_ASKED: Final = {
    Length.SHORT: f"Use at most {SHORT_WORDS} words.",
    Length.LONG: f"Use at least {LONG_WORDS} words.",
    HeadlineStyle.QUESTION: "Put it as a question.",
    HeadlineStyle.NUMBER: "Use a number of the article.",
}


def asked(wishes: Wishes) -> str:
    """What a model that was not trained on control tags is told about the headline, "" for nothing."""
    return " ".join(_ASKED[wish] for wish in (wishes.length, wishes.style) if wish in _ASKED)


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModelWriter:
    model: CausalNetwork
    frame: Callable[[Wishes], Frame]
    article_tokens: int
    headline_tokens: int
    beam_size: int
    length_penalty: float
    numbers: Callable[[str], Collection[str]] | None = None

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        read = [without_dateline(text[:READ_CHARACTERS]) for text in articles]
        there = [text for text in dict.fromkeys(read) if any(map(str.isalnum, text))]
        # The loaded model is shared; who is told of progress is not.
        model = dataclasses.replace(self.model, runtime=runtime)
        found = model.write(
            there,
            frame=self.frame(wishes),
            prefix_tokens=self.article_tokens,
            decoding=self._decoding(wishes),
            numbers=self.numbers,
        )
        chosen = {text: _chosen(texts, text, wishes) for text, texts in zip(there, found, strict=True)}
        return [chosen.get(text, [HeadlineCandidate("", 0.0)]) for text in read]

    def _decoding(self, wishes: Wishes) -> Decoding:
        least, most = wishes.bounds()
        picky = wishes.candidates > 1 or wishes.style is not HeadlineStyle.NEUTRAL
        results = wishes.candidates + SPARE * picky
        return Decoding(
            tokens=self.headline_tokens,
            # All that a search has followed, so that one which ends is among them.
            results=results if wishes.sample else max(results, self.beam_size),
            beams=self.beam_size,
            length_penalty=self.length_penalty,
            least_words=least,
            most_words=most,
            sample=wishes.sample,
            temperature=wishes.temperature,
            top_p=wishes.top_p,
        )


def _chosen(texts: Sequence[WrittenText], article: str, wishes: Wishes) -> list[HeadlineCandidate]:
    found: dict[str, tuple[bool, HeadlineCandidate]] = {}
    for one in sorted(texts, key=lambda one: not one.ended):
        line = clean_headline(one.text, most_words=wishes.most_words)
        if line:
            found.setdefault(comparison_key(line), (one.ended, HeadlineCandidate(line, one.score)))
    if not found:
        # Tokens that make no word; the article's beginning is better than nothing.
        return [HeadlineCandidate(shortened(article, wishes.most_words or LONG_WORDS), texts[0].score)]

    def order(one: tuple[bool, HeadlineCandidate]) -> tuple[int, bool, float]:
        ended, candidate = one
        return -kept_wishes(candidate.text, wishes), not ended, -candidate.score

    return [candidate for _, candidate in sorted(found.values(), key=order)[: wishes.candidates]]
