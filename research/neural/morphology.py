"""Words as stem, ending and grammeme."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Prefix

from core import files
from core.arrays import IntArray
from research.hub import readable
from research.neural.vocabulary import SPECIALS, Vocabulary
from research.neural.words import GLUE, TextWords

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
    def load(folder: Path) -> "Morphology":
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
