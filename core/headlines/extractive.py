"""Sentences of an article as headlines: the first one, and the ones that a method ranks highest."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from core.data.articles.articles import READ_CHARACTERS
from core.headlines.generator import Generator, HeadlineCandidate, HeadlineStyle, Wishes
from core.runtime import Runtime
from core.text.datelines import without_dateline
from core.text.normalise import clean_line
from core.text.sentences import language_of, split_sentences
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
