"""Text made safe to show, and the keys by which texts are compared and searched."""

import re
import unicodedata
from typing import Final, Literal

from core.text.reading import reads

# Characters that nobody sees but that break rows, XML or the reading direction: C0/C1 controls that
# are not white space, soft hyphen, zero-width space, word joiner, byte-order mark, bidi embeddings,
# overrides and isolates, non-characters and lone surrogates. Joiners (U+200C, U+200D) and the marks
# U+200E, U+200F stay: emoji, Persian and Hebrew need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff"
    "\ud800-\udfff]"
)
# Letters of Hangul and Braille that are drawn as nothing; between others they have a meaning.
_BLANKS = " \u115f\u1160\u2800\u3164\uffa0"
_NOT_WORD = re.compile(r"[^\w%$€£+]+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""What is drawn as nothing (Unicode's Default_Ignorable_Code_Point, and blank Braille)."""
_UNSEEN_KINDS: Final = frozenset({"Cc", "Cf"})  # controls, formats
MARKS = 30
"""Accents on one letter at most, as in Unicode's stream-safe format (UAX #15, 13); more cost their square."""
_MANY_MARKS = re.compile(rf"[^\w\x00-\x7f]{{{MARKS + 1},}}")
_NOTHING: Final = ("n/a", "n.a.", "n.a", "na", "nan", "null", "nil", "none", "k.a.", "н/д", "(none)")
MISSING: Final = frozenset((*_NOTHING, *"-–—", "--", "---", "[removed]", "[deleted]", "(not set)", "\\n"))
"""What stands in a cell without a value, in lower case."""


def has_hidden(text: str) -> bool:
    """Whether the text holds characters that cleaning takes away (controls, direction overrides)."""
    return not text.isprintable() and _HIDDEN.search(text) is not None


def _formed(form: Literal["NFC", "NFKC"], text: str) -> str:
    return unicodedata.normalize(form, _MANY_MARKS.sub(_few_marks, text))


def _few_marks(match: re.Match[str]) -> str:
    characters, marks = [], 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MARKS:
            characters.append(character)
    return "".join(characters)


def clean_line(text: str) -> str:
    """The text as one line: NFC, hidden characters gone, single spaces, 30 accents a letter at most."""
    if not text.isascii():
        text = _formed("NFC", text)
    if not text.isprintable():
        text = _HIDDEN.sub("", text)
    line = " ".join(text.split())
    if not line.strip(_BLANKS):
        return ""
    return line if line.isprintable() or any(map(str.isprintable, line.replace(" ", ""))) else ""


def seen(text: str) -> str:
    """The text without case, widths and what is drawn as nothing, for comparing; spaces stay."""
    folded = _formed("NFKC", _formed("NFKC", text).casefold())
    if folded.isascii() and folded.isprintable():
        return folded
    gone: dict[int, str | None] = dict.fromkeys(map(ord, "\t\n\r\v\f"), " ")
    signs = set(folded) - set("\t\n\r\v\f")
    gone |= {ord(sign): None for sign in signs if unicodedata.category(sign) in _UNSEEN_KINDS}
    return _formed("NFKC", _UNSEEN.sub("", folded.translate(gone)))


def judge_key(name: str) -> str:
    """What all spellings of a name share: no case, spaces, hidden signs and widths; "" for nothing seen."""
    return clean_line(re.sub(r"\s", "", seen(name)))


def clean_block(text: str) -> str:
    """The text in paragraphs: as `clean_line` does, but line ends are kept (at most one empty line)."""
    if text.isascii() and text.isprintable():
        return text.strip()
    text = _HIDDEN.sub("", _formed("NFC", text))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def without_surrogates(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD, so that it can be encoded."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def searched(text: str) -> str:
    """The text as a search compares it: case and accents apart, so that "turkei" finds "Türkei"."""
    small = text.casefold()
    if small.isascii():
        return small
    parts = unicodedata.normalize("NFD", small)
    return "".join(sign for sign in parts if unicodedata.category(sign) != "Mn")


@reads("wording", str)
def comparison_key(text: str) -> str:
    """What is left without case, spacing and punctuation but %, + and currencies; equal for equal wording."""
    folded = _formed("NFKC", text).casefold().translate(_APOSTROPHES).replace("'", "")
    return _NOT_WORD.sub(" ", folded).strip() or folded.strip()


def is_missing(text: str) -> bool:
    """Whether a cell says that it has no value: "n/a", "-", "null" and the like, in any case."""
    return len(text) <= 20 and text.strip().casefold() in MISSING
