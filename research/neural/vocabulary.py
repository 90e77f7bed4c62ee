"""The words that a network knows by number, and the words of one article that it knows only by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from core import files
from core.headlines.generator import readable
from research.neural.words import TextWords

PAD: Final = 0
UNKNOWN: Final = 1
START: Final = 2
END: Final = 3
SPECIALS: Final = ("<pad>", "<unk>", "<start>", "<end>")

FILE: Final = "vocabulary.txt"

HEADLINE_WEIGHT: Final = 5
"""How often a word of a headline counts when the most frequent words are chosen."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words by number: `SPECIALS` first, then the others, most frequent first."""

    written: tuple[str, ...]

    def __len__(self) -> int:
        """How many numbers there are, special ones included."""
        return len(self.written)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        return (*SPECIALS, *(word.lower() for word in self.written[len(SPECIALS) :]))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {form: number for number, form in enumerate(self.forms)}

    def encode(self, forms: Sequence[str]) -> list[int]:
        """The numbers of words, `UNKNOWN` for those that are not known."""
        numbers = self.numbers
        return [numbers.get(form, UNKNOWN) for form in forms]

    def encode_source(self, forms: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
        """The numbers of an article's words, unknown ones numbered on from the vocabulary's end.

        Source: See et al. 2017, the extended vocabulary of an article.
        """
        extra: dict[str, int] = {}
        known = self.numbers
        row = []
        for form in forms:
            number = known.get(form)
            row.append(extra.setdefault(form, len(self) + len(extra)) if number is None else number)
        return row, tuple(extra)

    def encode_target(self, forms: Sequence[str], extra: Sequence[str]) -> list[int]:
        """The numbers of a headline's words; `extra` are the unknown words of its article."""
        places = {form: len(self) + place for place, form in enumerate(extra)}
        numbers = self.numbers
        return [numbers.get(form, places.get(form, UNKNOWN)) for form in forms]

    def form(self, number: int, extra: Sequence[str] = ()) -> str:
        """The form of a number, which may be one of an article's unknown words."""
        return self.forms[number] if number < len(self) else extra[number - len(self)]

    def save(self, folder: Path) -> None:
        text = "".join(f"{word}\n" for word in self.written[len(SPECIALS) :])
        files.write(folder / FILE, text.encode())


def learn(texts: Iterable[TextWords], *, size: int, headlines: Iterable[TextWords] = ()) -> Vocabulary:
    """The most frequent words of some texts.

    A word is written as it most often is in the texts beyond the first word of a sentence.
    """
    counts: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for text in texts:
        counts.update(text.forms)
        before = "."
        for form, written in zip(text.forms, text.written, strict=True):
            if written.lower() == form and before not in {".", "?", "!", ":", '"', "'"}:
                spellings.setdefault(form, Counter())[written] += 1
            before = form
    for headline in headlines:
        for form in headline.forms:
            counts[form] += HEADLINE_WEIGHT
    chosen = sorted(counts, key=lambda form: (-counts[form], form))[: size - len(SPECIALS)]
    return Vocabulary((*SPECIALS, *(_usual(form, spellings.get(form)) for form in chosen)))


def _usual(form: str, spellings: Counter[str] | None) -> str:
    if not spellings:
        return form
    return min(spellings, key=lambda written: (-spellings[written], written))


def load(folder: Path) -> Vocabulary:
    with readable("vocabulary", folder):
        words = (folder / FILE).read_text(encoding="utf-8").split("\n")[:-1]
        known = {word.lower() for word in words} | set(SPECIALS)
        if not words or "" in words or len(known) != len(words) + len(SPECIALS):
            raise ValueError(FILE)
    return Vocabulary((*SPECIALS, *words))
