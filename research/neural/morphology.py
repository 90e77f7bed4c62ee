"""Words as stem, ending and grammeme: by pymorphy3 for Russian, by Snowball stemmers and spelling else."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.headlines.generator import readable
from research.neural.words import GLUE, SPECIALS, TextWords, Vocabulary

FILE: Final = "morphology.json"
NONE: Final = 0
"""Stem, ending and grammeme of padding and special words."""

RARE: Final = 1
"""Those that are not among the known ones."""

_SNOWBALL: Final = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}


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

    def read(self, words: TextWords) -> npt.NDArray[np.int64]:
        """Numbers of stem, ending and grammeme of each word, int64 [n, 3]; [1, 3] for no words."""
        rows = [self._row(form, written) for form, written in zip(words.forms, words.written, strict=True)]
        return np.array(rows or [[NONE, NONE, NONE]], dtype=np.int64)

    def of(self, vocabulary: Vocabulary) -> npt.NDArray[np.int64]:
        """The same of every word of a vocabulary, int64 [v, 3]; special words have stems of their own.

        The first numbers of `stems` are those of `SPECIALS`.
        """
        words = TextWords(vocabulary.forms[len(SPECIALS) :], vocabulary.written[len(SPECIALS) :])
        special = [[2 + place, NONE, NONE] for place in range(len(SPECIALS))]
        return np.concatenate([np.array(special, dtype=np.int64), self.read(words)])

    def _row(self, form: str, written: str) -> list[int]:
        parts = taken_apart(form, written, self.language)
        return [numbers.get(part, RARE) for numbers, part in zip(self._numbers, parts, strict=True)]

    def save(self, folder: Path) -> None:
        text = json.dumps(dataclasses.asdict(self), ensure_ascii=False) + "\n"
        files.write(folder / FILE, text.encode())

    @staticmethod
    def load(folder: Path) -> Morphology:
        with readable("stems and grammemes", folder):
            values = json.loads((folder / FILE).read_text(encoding="utf-8"))
            kinds = [tuple(map(str, values[kind])) for kind in ("stems", "endings", "grammemes")]
            return Morphology(str(values["language"]), *kinds)


def learn_morphology(
    texts: Iterable[TextWords], *, language: str, vocabulary: Vocabulary, least: int = 2
) -> Morphology:
    """The stems, endings and grammemes of a vocabulary and of what occurs often in texts."""
    counts: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    seen: set[tuple[str, str]] = set()
    known = TextWords(vocabulary.forms[len(SPECIALS) :], vocabulary.written[len(SPECIALS) :])
    stems: dict[str, None] = dict.fromkeys(SPECIALS)
    for place, words in enumerate([known, *texts]):
        for form, written in zip(words.forms, words.written, strict=True):
            if (form, written) in seen:
                continue
            seen.add((form, written))
            parts = taken_apart(form, written, language)
            if place == 0:
                stems[parts[0]] = None
            for counter, part in zip(counts, parts, strict=True):
                counter[part] += 1
    chosen = [
        tuple(
            part
            for part, count in sorted(counter.items(), key=lambda one: (-one[1], one[0]))
            if count >= least
        )
        for counter in counts[1:]
    ]
    return Morphology(language, tuple(stems), chosen[0], chosen[1])


@lru_cache(maxsize=200_000)
def taken_apart(form: str, written: str, language: str) -> tuple[str, str, str]:
    """Stem, ending and grammeme of a word.

    Russian: stem by Snowball; the grammeme is pymorphy3's part of speech with case, number and tense of
    the likeliest reading. Other languages with a Snowball stemmer: the grammeme is what spelling shows:
    word, name, acronym, number or sign. A language without a stemmer has whole words and no endings.

    Source: the "Burning Headlines" system of Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019", section 6.3: grammemes, and embeddings of stem and flexion.
    """
    if not any(map(str.isalpha, form)) or form.startswith(GLUE):
        return form, "", "number" if any(map(str.isdigit, form)) else "sign"
    stemmer = _stemmer(language)
    stem = stemmer.stem(form) if stemmer else form
    shared = next(
        (at for at, pair in enumerate(zip(stem, form, strict=False)) if pair[0] != pair[1]), len(stem)
    )
    ending = form[shared:] if len(form) > shared else ""
    return stem, ending, _grammeme(form, written, language)


def _grammeme(form: str, written: str, language: str) -> str:
    if language == "ru":
        tag = _analyser().parse(form)[0].tag
        parts: Sequence[Any] = (tag.POS, tag.case, tag.number, tag.tense)
        return " ".join(str(part) for part in parts if part) or "word"
    if written[1:] != written[1:].lower():
        return "acronym"
    return "name" if written[:1].isupper() else "word"


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(_SNOWBALL[language]) if language in _SNOWBALL else None


@lru_cache(maxsize=1)
def _analyser() -> Any:
    import pymorphy3

    return pymorphy3.MorphAnalyzer()
