"""Headlines written for articles of NumHG, true ones and false ones; see samples/written_claims/README.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.data.articles.blanks import Blanks
from core.data.files import DataPlace, column, read_columns
from core.digests import digest
from core.errors import InputError
from core.parts import Part
from core.text.datelines import without_dateline

PLACE: Final = DataPlace("headlines written for NumHG", "written_claims", ships=True)
FILES: Final = {Part.TRAIN: "train.tsv", Part.VALIDATION: "validation.tsv"}
TRUTHS: Final = {"true": True, "false": False}
KINDS: Final = ("act", "roles", "who", "part", "what", "swap", "fact", "when", "change", "cause")
"""The ways in which a headline is false."""
_MARKED: Final = re.compile(r"([^\[\]]*)\[\[([^\[\]]+)\]\]([^\[\]]*)")
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A headline that says something true or false with a number."""

    headline: str
    start: int
    end: int
    article: str
    true: bool
    kind: str


def article_key(text: str) -> str:
    """What the files call an article: 16 hexadecimal digits of its text's SHA-256."""
    return digest(text, digits=_DIGITS)


def load_written_claims(part: Part, blanks: Blanks) -> list[WrittenClaim]:
    """The written headlines of a part, with their articles."""
    path = PLACE.require() / FILES[part]
    table = read_columns(path, delimiter="\t", quoted=False)
    names = ("article", "truth", "kind", "headline")
    rows = zip(*(column(table, name, path) for name in names), strict=True)
    texts = {article_key(text): text for text in blanks.texts}
    found = []
    for line, (key, truth, kind, headline) in enumerate(rows, start=2):
        marked = _MARKED.fullmatch(headline)
        if marked is None or truth not in TRUTHS or kind not in (("",) if TRUTHS[truth] else KINDS):
            raise InputError(
                f"Line {line} of {path.name} is no headline with one [[number]], its truth and its kind.",
                hint="Get the file again.",
            )
        if key not in texts:
            raise InputError(
                f"Line {line} of {path.name} names an article that the data does not have: {key[:_DIGITS]}.",
                hint="Get NumHG's file again; the headlines are of its training and validation parts.",
            )
        before, number, after = marked.groups()
        article = without_dateline(texts[key]).strip()
        end = len(before) + len(number)
        claim = WrittenClaim(before + number + after, len(before), end, article, TRUTHS[truth], kind)
        found.append(claim)
    return found
