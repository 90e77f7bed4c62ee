"""Headlines that were written for NumHG's articles, some of them false."""

import re
from dataclasses import dataclass
from typing import Final

from core.data import column_files
from core.data.articles.blanks import Blanks
from core.data.files import DataPlace
from core.digests import digest
from core.errors import InputError
from core.parts import Part
from core.text.desk_marks import without_dateline

PLACE: Final = DataPlace("headlines written for NumHG", "written_claims", ships=True)
FILES: Final = {Part.TRAIN: "train.tsv", Part.VALIDATION: "validation.tsv"}
TRUTHS: Final = {"true": True, "false": False}
KINDS: Final = ("act", "roles", "who", "part", "what", "swap", "fact", "when", "change", "cause")
_MARKED: Final = re.compile(r"([^\[\]]*)\[\[([^\[\]]+)\]\]([^\[\]]*)")
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    headline: str
    start: int
    end: int
    article: str
    true: bool
    kind: str
    desk: str = ""


def article_key(text: str) -> str:
    """What the files call an article: 16 hexadecimal digits of its text's SHA-256."""
    return digest(text, digits=_DIGITS)


def load_written_claims(part: Part, blanks: Blanks) -> list[WrittenClaim]:
    path = PLACE.require() / FILES[part]
    names = ("article", "truth", "kind", "headline")
    rows = zip(*column_files.named_columns(path, *names, delimiter="\t", quoted=False), strict=True)
    texts = {article_key(text): text for text in blanks.texts}
    claims = []
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
        claims.append(claim)
    return claims
