"""The words that a network knows, by number, and the byte pairs that others are cut into."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import files
from research.hub import readable
from research.neural.words import GLUE, TextWords, split

PAD: Final = 0
UNKNOWN: Final = 1
START: Final = 2
END: Final = 3
SPECIALS: Final = ("<pad>", "<unk>", "<start>", "<end>")
WORDS_FILE: Final = "vocabulary.txt"
HEADLINE_WEIGHT: Final = 5  # how often a word of a headline counts when the most frequent words are chosen
BYTE_PAIRS_FILE: Final = "byte_pairs.json"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words by number: `SPECIALS` first, then the others, most frequent first."""

    written: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.written)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        return (*SPECIALS, *(word.lower() for word in self.written[len(SPECIALS) :]))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {form: number for number, form in enumerate(self.forms)}

    def encode_source(self, forms: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
        """An article's words as numbers, unknown ones on from the vocabulary's end (See et al. 2017)."""
        extra = tuple(dict.fromkeys(form for form in forms if form not in self.numbers))
        return self.encode_target(forms, extra), extra

    def encode_target(self, forms: Sequence[str], extra: Sequence[str]) -> list[int]:
        places = {form: len(self) + place for place, form in enumerate(extra)}
        numbers = self.numbers
        return [numbers.get(form, places.get(form, UNKNOWN)) for form in forms]

    def form(self, number: int, extra: Sequence[str] = ()) -> str:
        return self.forms[number] if number < len(self) else extra[number - len(self)]

    def save(self, folder: Path) -> None:
        text = "".join(f"{word}\n" for word in self.written[len(SPECIALS) :])
        files.write(folder / WORDS_FILE, text.encode())


def learn_vocabulary(
    texts: Iterable[TextWords], *, size: int, headlines: Iterable[TextWords] = ()
) -> Vocabulary:
    counts, spellings = Counter[str](), dict[str, Counter[str]]()
    for text in texts:
        counts.update(text.forms)
        for before, form, written in zip((".", *text.forms), *text, strict=False):
            if written.lower() == form and before not in {".", "?", "!", ":", '"', "'"}:
                spellings.setdefault(form, Counter())[written] += 1
    for headline in headlines:
        counts.update(headline.forms * HEADLINE_WEIGHT)

    def usual(form: str) -> str:
        known = spellings.get(form, {form: 1})
        return min(known, key=lambda written: (-known[written], written))

    chosen = sorted(counts, key=lambda form: (-counts[form], form))[: size - len(SPECIALS)]
    return Vocabulary((*SPECIALS, *(usual(form) for form in chosen)))


def load_vocabulary(folder: Path) -> Vocabulary:
    with readable("vocabulary", folder):
        words = (folder / WORDS_FILE).read_text(encoding="utf-8").split("\n")[:-1]
        known = {word.lower() for word in words} | set(SPECIALS)
        if not words or "" in words or len(known) != len(words) + len(SPECIALS):
            raise ValueError(WORDS_FILE)
    return Vocabulary((*SPECIALS, *words))


if TYPE_CHECKING:
    from tokenizers import Tokenizer


def learn_byte_pairs(path: str, *, size: int, language: str) -> "Tokenizer | None":
    """Byte pairs (Sennrich et al. 2016) of a text file, None for none; all but a word's first behind GLUE."""
    from tokenizers import Tokenizer, models, trainers

    if not path:
        return None
    tokenizer = Tokenizer(models.BPE(continuing_subword_prefix=GLUE))
    with Path(path).open(encoding="utf-8", errors="replace") as lines:
        how: dict[str, Any] = {"continuing_subword_prefix": GLUE, "show_progress": False}
        forms = (form for line in lines for form in split(line, language=language).forms)
        tokenizer.train_from_iterator(forms, trainers.BpeTrainer(vocab_size=size, **how))
    return tokenizer


def load_byte_pairs(folder: Path) -> "Tokenizer | None":
    from tokenizers import Tokenizer

    if not (path := folder / BYTE_PAIRS_FILE).is_file():
        return None
    with readable("byte pairs", folder):
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))


def cut(text: TextWords, byte_pairs: "Tokenizer | None") -> TextWords:
    """A text in parts of words, as it is without byte pairs; a word with signs that they lack stays whole."""
    if byte_pairs is None:
        return text
    forms, spelled = list[str](), list[str]()
    for form, written in zip(*text, strict=True):
        parts = [] if form.startswith(GLUE) else byte_pairs.encode(form).tokens
        letters = [part.removeprefix(GLUE) for part in parts]
        if "".join(letters) != form or len(written) != len(form):
            parts, letters = [form], [written]
        ends = np.cumsum([len(part) for part in letters])
        forms += parts
        spelled += [
            GLUE * part.startswith(GLUE) * (len(parts) > 1) + written[end - len(piece) : end]
            for part, piece, end in zip(parts, letters, ends, strict=True)
        ]
    return TextWords(tuple(forms), tuple(spelled))
