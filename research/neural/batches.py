"""Articles and headlines as tensors: words in rows of one length, or as stem, ending and grammeme."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
import torch
from rapidfuzz.distance import Prefix
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from core import files
from core.arrays import IntArray
from research.hub import readable
from research.neural.words import END, GLUE, PAD, SPECIALS, START, UNKNOWN, TextWords, Vocabulary

FILE: Final = "morphology.json"
NONE: Final = 0  # stem, ending and grammeme of padding and special words
RARE: Final = 1  # those that are not among the known ones
OFTEN: Final = 2  # words from which an ending or a grammeme is known
_SNOWBALL: Final = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Morphology:
    """Stems, endings and grammemes by number, most frequent first; 0 and 1 are `NONE` and `RARE`."""

    language: str
    stems: tuple[str, ...]
    endings: tuple[str, ...]
    grammemes: tuple[str, ...]

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], ...]:
        kinds = (self.stems, self.endings, self.grammemes)
        return tuple({name: number for number, name in enumerate(kind, 2)} for kind in kinds)

    @property
    def sizes(self) -> tuple[int, int, int]:
        return len(self.stems) + 2, len(self.endings) + 2, len(self.grammemes) + 2

    def read(self, words: TextWords) -> IntArray:
        """Numbers of stem, ending and grammeme of each word, int64 [n, 3]; [1, 3] for no words."""
        parts = (taken_apart(*pair, self.language) for pair in zip(*words, strict=True))
        kinds = self._numbers
        rows = [[known.get(name, RARE) for known, name in zip(kinds, part, strict=True)] for part in parts]
        return np.array(rows or [[NONE, NONE, NONE]], dtype=np.int64)

    def of(self, vocabulary: Vocabulary) -> IntArray:
        """The same of every word of a vocabulary, int64 [v, 3]; `SPECIALS` have the first stems."""
        words = TextWords(vocabulary.forms[len(SPECIALS) :], vocabulary.written[len(SPECIALS) :])
        special = [[2 + place, NONE, NONE] for place in range(len(SPECIALS))]
        return np.concatenate([np.array(special, dtype=np.int64), self.read(words)])

    def save(self, folder: Path) -> None:
        text = json.dumps(dataclasses.asdict(self), ensure_ascii=False) + "\n"
        files.write(folder / FILE, text.encode())

    @staticmethod
    def load(folder: Path) -> Morphology:
        with readable("stems and grammemes", folder):
            values = json.loads((folder / FILE).read_text(encoding="utf-8"))
            kinds = [tuple(map(str, values[kind])) for kind in ("stems", "endings", "grammemes")]
            return Morphology(str(values["language"]), *kinds)


def learn_morphology(texts: Iterable[TextWords], *, language: str, vocabulary: Vocabulary) -> Morphology:
    """The stems, endings and grammemes of a vocabulary and of what occurs often in texts."""
    known = list(zip(vocabulary.forms, vocabulary.written, strict=True))[len(SPECIALS) :]
    words = dict.fromkeys([*known, *(pair for text in texts for pair in zip(*text, strict=True))])
    parts = [taken_apart(*pair, language) for pair in words]
    stems = dict.fromkeys([*SPECIALS, *(stem for stem, _, _ in parts[: len(set(known))])])

    def often(place: int) -> tuple[str, ...]:
        counts = Counter(part[place] for part in parts)
        order = sorted(counts, key=lambda part: (-counts[part], part))
        return tuple(part for part in order if counts[part] >= OFTEN)

    return Morphology(language, tuple(stems), often(1), often(2))


@lru_cache(maxsize=200_000)
def taken_apart(form: str, written: str, language: str) -> tuple[str, str, str]:
    """Stem by Snowball, ending and grammeme of a word; whole words in a language without a stemmer.

    The grammeme is what spelling shows: word, name, acronym, number or sign; in Russian pymorphy3's part of
    speech with case, number and tense of the likeliest reading.

    Source: the "Burning Headlines" system of Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019", section 6.3: grammemes, and embeddings of stem and flexion.
    """
    if not any(map(str.isalpha, form)) or form.startswith(GLUE):
        return form, "", "number" if any(map(str.isdigit, form)) else "sign"
    stemmer = _stemmer(language)
    stem = stemmer.stem(form) if stemmer else form
    ending = form[Prefix.similarity(stem, form) :]
    grammeme = "name" if written[:1].isupper() else "word"
    if language == "ru":
        tag = _analyser().parse(form)[0].tag
        parts = (tag.POS, tag.case, tag.number, tag.tense)
        grammeme = " ".join(str(part) for part in parts if part) or "word"
    elif written[1:] != written[1:].lower():
        grammeme = "acronym"
    return stem, ending, grammeme


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(_SNOWBALL[language]) if language in _SNOWBALL else None


@lru_cache(maxsize=1)
def _analyser() -> Any:
    import pymorphy3

    return pymorphy3.MorphAnalyzer()


BUCKET = 50  # batches' worth of examples that are sorted by length before they are cut into batches


class ArticleExample(NamedTuple):
    """One article, with its headline where it is to be learned."""

    source: tuple[int, ...]
    extra: tuple[str, ...]
    written: dict[str, str]
    target: tuple[int, ...] = ()
    grams: IntArray | None = None  # stem, ending and grammeme of each of its words, int64 [s, 3]


@dataclass(frozen=True, slots=True, eq=False)
class SourceBatch:
    """b articles."""

    words: Tensor  # numbers of their words, int64 [b, s]: `UNKNOWN` for unknown words, `PAD` beyond the end
    extended: Tensor  # the same, unknown words by their own numbers, int64 [b, s]
    lengths: Tensor  # words of each, 1 or more, int64 [b], on the CPU
    extra: int
    grams: Tensor | None = None  # stem, ending and grammeme of each word, int64 [b, s, 3]

    def to(self, device: str) -> SourceBatch:
        grams = None if self.grams is None else self.grams.to(device)
        return replace(self, words=self.words.to(device), extended=self.extended.to(device), grams=grams)


class ArticleBatch(NamedTuple):
    """b articles with what is to be written."""

    source: SourceBatch
    targets: Tensor  # headline and `END`, int64 [b, t], unknown words by their own numbers; `PAD` beyond

    def to(self, device: str) -> ArticleBatch:
        return ArticleBatch(self.source.to(device), self.targets.to(device))


def example(
    vocabulary: Vocabulary, article: TextWords, headline: Sequence[str], morphology: Morphology | None
) -> ArticleExample:
    """An article as numbers; one without words is read as one unknown word."""
    source, extra = vocabulary.encode_source(article.forms)
    begins: dict[str, str] = {}
    inside: dict[str, str] = {}
    for before, form, spelled in zip((".", *article.forms), article.forms, article.written, strict=False):
        # Capitals at the beginning of a sentence say nothing, so any other place goes before.
        (begins if before in {".", "?", "!"} else inside).setdefault(form, spelled)
    return ArticleExample(
        source=tuple(source) or (UNKNOWN,),
        extra=extra,
        written={**begins, **inside},
        target=tuple(vocabulary.encode_target(headline, extra)),
        grams=None if morphology is None else morphology.read(article),
    )


def source_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> SourceBatch:
    extended = _rows([example.source for example in examples])
    grams = [torch.from_numpy(example.grams) for example in examples if example.grams is not None]
    return SourceBatch(
        words=extended.masked_fill(extended >= len(vocabulary), UNKNOWN),
        extended=extended,
        lengths=torch.tensor([len(example.source) for example in examples]),
        extra=max(len(example.extra) for example in examples),
        grams=pad_sequence(grams, batch_first=True, padding_value=NONE) if grams else None,
    )


def batch_of(examples: Sequence[ArticleExample], vocabulary: Vocabulary) -> ArticleBatch:
    targets = _rows([(*example.target, END) for example in examples])
    return ArticleBatch(source_of(examples, vocabulary), targets)


def _rows(rows: Iterable[Sequence[int]]) -> Tensor:
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def words_before(targets: Tensor) -> Tensor:
    """The word before each that is to be written, int64 [b, t]."""
    return torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)


def by_length(lengths: Sequence[int], size: int) -> list[list[int]]:
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    return [order[start : start + size] for start in range(0, len(order), size)]


def shuffled(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[list[int]]:
    """Rows in batches of like length in a random order; every row once."""
    order = generator.permutation(len(lengths)).tolist()
    batches: list[list[int]] = []
    for start in range(0, len(order), BUCKET * size):
        bucket = sorted(order[start : start + BUCKET * size], key=lambda row: lengths[row])
        batches += [bucket[at : at + size] for at in range(0, len(bucket), size)]
    return [batches[place] for place in generator.permutation(len(batches))]


State = tuple["Tensor", ...]  # what a decoder remembers of b articles with k headlines each: [b, k, …]

Step = Callable[["Tensor", State], tuple["Tensor", State]]
"""One word on: from the last words, int64 [b, k], and the state to log-probabilities of the next words,
float32 [b, k, vocabulary + extra], and the next state. Unknown words of an article come after the
vocabulary, minus infinity beyond those that it has."""


class Network(Protocol):
    words_table: ClassVar[str]  # name of the parameter with the embeddings of words, or of stems

    def loss(self, batch: ArticleBatch) -> Tensor:
        """Mean negative log-likelihood a word of the batch's headlines, a scalar."""

    def begin(self, source: SourceBatch) -> tuple[Step, State]:
        """The step, which knows the articles, and the state before the first word, [b, 1, …]."""
