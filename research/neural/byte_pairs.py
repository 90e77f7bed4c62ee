"""Words cut into byte pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from research.hub import readable
from research.neural.words import GLUE, TextWords, split

if TYPE_CHECKING:
    from tokenizers import Tokenizer


BYTE_PAIRS_FILE: Final = "byte_pairs.json"


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
