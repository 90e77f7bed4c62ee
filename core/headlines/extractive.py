"""Sentences as headlines, warnings about a headline, and what language models are asked."""

from __future__ import annotations

import dataclasses
import importlib
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final

from core.data.articles.articles import READ_CHARACTERS
from core.headlines.generator import Generator, HeadlineCandidate, HeadlineStyle, Wishes, kept_wishes
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
from core.text.language import language_of, split_sentences
from core.text.normalise import clean_line, comparison_key, without_dateline
from core.text.support import copied, read_source
from core.text.tokens import content, tokenize

READ_SENTENCES: Final = 100
"""Sentences that are ranked; the cost grows with their square."""
RANKED_WORDS: Final = 100
"""Words of a sentence that are compared with those of the others; longer ones are hardly sentences."""

_FEWEST_WORDS: Final = 3


def sentences(text: str, language: str | None = None) -> list[str]:
    """The sentences of an article's beginning without its dateline."""
    return split_sentences(without_dateline(text[:READ_CHARACTERS]), language=language)


def first_sentence(text: str, language: str | None = None) -> str:
    """The first sentence that says something: three words or more; else the first one, "" of "".

    Source: the "First Sentence" baseline of Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019"; the agency's dateline is left out, as the sentence after it is meant.
    """
    return next(iter(leading(text, language)), "")


def leading(text: str, language: str | None = None) -> list[str]:
    """The sentences with three words or more in their order; all with a word where none has three."""
    found = [sentence for sentence in sentences(text, language) if any(map(str.isalnum, sentence))]
    long = [sentence for sentence in found if len(tokenize(sentence)) >= _FEWEST_WORDS]
    return list(dict.fromkeys(long or found))


def ranked(text: str, method: str = "text_rank", *, language: str | None = None) -> list[tuple[str, float]]:
    """Different sentences with the scores that a summarizer of sumy gives them, best first.

    sumy's own tokenizer needs files that nltk downloads; ours is used instead: content words of
    `core.text.tokens` in their light normal form, for any language.
    """
    import numpy as np
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    chosen = language_of(text) if language is None else language
    lines = leading(text, chosen)[:READ_SENTENCES]
    if len(lines) < 2 or not any(content(tokenize(line, language=chosen)) for line in lines):
        return [(line, 0.0) for line in lines]
    words = _Words(chosen)
    document = ObjectDocumentModel([Paragraph([Sentence(line, words) for line in lines])])
    found: list[tuple[str, float]] = []

    def keep(infos: Sequence[Any]) -> Sequence[Any]:
        # LexRank divides 0 by 0 where no two sentences are alike: then none is better than another.
        found.extend((str(info.sentence), round(float(np.nan_to_num(info.rating)), 9)) for info in infos)
        return infos

    with np.errstate(invalid="ignore"):
        _summarizer(method)(document, keep)
    order = {line: place for place, line in enumerate(lines)}
    return sorted(found, key=lambda one: (-one[1], order[one[0]]))


def _summarizer(method: str) -> Any:
    # LSA is as exact for a few words as for many, so sumy's warning helps no reader.
    warnings.filterwarnings("ignore", r"Number of words \(\d+\) is lower than number of sentences")
    module = importlib.import_module(f"sumy.summarizers.{method}")
    return getattr(module, f"{method.title().replace('_', '')}Summarizer")()


class _Words:
    def __init__(self, language: str) -> None:
        self._language = language

    def to_words(self, sentence: str) -> tuple[str, ...]:
        words = content(tokenize(sentence, language=self._language))
        return tuple(token.form for token in words[:RANKED_WORDS])


def shortened(sentence: str, most_words: int) -> str:
    """The first `most_words` words of a sentence; the whole sentence for 0 or where it is shorter."""
    words = sentence.split()
    if not 0 < most_words < len(words):
        return " ".join(words)
    return " ".join(words[:most_words]).rstrip(" ,;:–—-")


Scored = Sequence[tuple[str, float]]
"""Sentences with their scores, best first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceRecipe:
    """A generator that takes sentences of the article: any language, no weights, its own recipe.

    A subclass says in `order` which sentences come first.
    """

    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()

    most_words: int = field(
        default=0,
        metadata={"label": "Words at most", "help": "0 keeps whole sentences", "low": 0, "high": 100},
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> Generator:
        return self

    def order(self, text: str) -> Scored:
        """The different sentences of an article, best first; here in their order, scored 0, -1, -2, …."""
        return [(line, float(-place)) for place, line in enumerate(leading(text))]

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        """The best sentences of each article; one "" where it holds no word. See `Generator.write`."""
        return [self._of(text, wishes) for text in runtime.track(articles, "Writing headlines")]

    def _of(self, text: str, wishes: Wishes) -> list[HeadlineCandidate]:
        asked = wishes.bounds()[1]
        most = min((words for words in (self.most_words, asked) if words), default=0)
        found: dict[str, float] = {}
        for sentence, score in self.order(text):
            if len(found) == wishes.candidates:
                break
            found.setdefault(shortened(sentence, most), score)
        return [HeadlineCandidate(line, score) for line, score in found.items()] or [
            HeadlineCandidate("", 0.0)
        ]


_LABEL: Final = re.compile(r"(?:news\s+)?(?:headline|title|заголовок|titolo)\s*[:：]\s*", re.IGNORECASE)
_UNKNOWN: Final = re.compile(r"[<⟨]unk[>⟩]|\[UNK\]|⁇|\ufffd", re.IGNORECASE)
_MARKUP: Final = "*_#` "
_QUOTES: Final = ('""', "''", "“”", "‘’", "«»", "„“")


def has_unknown_word(headline: str) -> bool:
    """Whether a headline holds a sign that stands for a word its writer did not know, such as <UNK>."""
    return bool(_UNKNOWN.search(headline))


def clean_headline(text: str, *, most_words: int = 0) -> str:
    """The first line that says something, without what is no part of a headline.

    A label ("Headline:"), signs of markup, quotation marks around the whole, one full stop at the end and
    signs for unknown words are taken off.
    """
    lines = (clean_line(_UNKNOWN.sub("", line)) for line in text.splitlines())
    for line in lines:
        bare = _LABEL.sub("", line.strip(_MARKUP), count=1) if _LABEL.match(line.strip(_MARKUP)) else line
        bare = shortened(_unquoted(bare.strip(_MARKUP)), most_words)
        bare = _without_stop(_unquoted(bare))
        if any(map(str.isalnum, bare)):
            return bare
    return ""


def _unquoted(line: str) -> str:
    for left, right in _QUOTES:
        inside = line[1:-1]
        if (
            len(line) > 2
            and line[0] == left
            and line[-1] == right
            and left not in inside
            and right not in inside
        ):
            return inside.strip()
        if left != "'" and line.count(left) + (line.count(right) if left != right else 0) == 1:
            line = line.removeprefix(left).removesuffix(right).strip()
    return line


def _without_stop(line: str) -> str:
    last = line.rpartition(" ")[2]
    return line[:-1].rstrip() if last.endswith(".") and last.count(".") == 1 else line


COPIED_SHARE: Final = 0.75
"""Share of a headline's words in one run of the article's first sentence from which it counts as copied.

Of the headlines that people gave the 7,709 training articles of NumHG, 0.1 % reach it.
"""

FEWEST_COPIED: Final = 4
"""Words of such a run at least: shorter ones are names and numbers that every headline shares."""


class WarningKind(StrEnum):
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class HeadlineWarning:
    kind: WarningKind
    text: str


def warnings_of(headline: str, article: str, others: Sequence[str]) -> tuple[HeadlineWarning, ...]:
    if not any(map(str.isalnum, headline)):
        return (HeadlineWarning(WarningKind.EMPTY, "The headline has no word."),)
    found = []
    key = comparison_key(headline)
    same = sum(comparison_key(other) == key for other in others)
    if same:
        times = "another headline" if same == 1 else f"{same} other headlines"
        found.append(HeadlineWarning(WarningKind.DUPLICATE, f"It is worded like {times}."))
    share = copied_share(headline, article)
    if share is not None and share >= COPIED_SHARE:
        text = f"{share:.0%} of its words are copied from the article's first sentence."
        found.append(HeadlineWarning(WarningKind.COPIED, text))
    return tuple(found)


def copied_share(headline: str, article: str) -> float | None:
    """Share of a headline's words in the longest run of the article's first sentence, 0–1.

    Case and punctuation do not count. Runs of fewer than `FEWEST_COPIED` words count as none, unless they
    are the whole headline.
    """
    words = [token.text.casefold() for token in tokenize(headline)]
    source = read_source(first_sentence(article))
    if not words or not source.row.words:
        return None
    longest = max((run.words for run in copied(words, source.row)), default=0)
    return longest / len(words) if longest >= min(FEWEST_COPIED, len(words)) else 0.0


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
