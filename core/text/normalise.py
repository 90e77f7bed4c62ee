"""Making text safe to show, compare and hash without changing what it says."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

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
MARKS = 30
"""Accents on one letter at most, as in the stream-safe format of Unicode (UAX #15, section 13). More are no
writing, and Unicode's forms would be found in the square of their number."""
_MANY_MARKS = re.compile(rf"[^\w\x00-\x7f]{{{MARKS + 1},}}")


def has_hidden(text: str) -> bool:
    """Whether the text holds characters that cleaning takes away (controls, direction overrides)."""
    return not text.isprintable() and _HIDDEN.search(text) is not None


def _formed(form: Literal["NFC", "NFKC"], text: str) -> str:
    return unicodedata.normalize(form, _MANY_MARKS.sub(_few_marks, text))


def _few_marks(found: re.Match[str]) -> str:
    kept, marks = [], 0
    for character in found[0]:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MARKS:
            kept.append(character)
    return "".join(kept)


def clean_line(text: str) -> str:
    """The text as one line: NFC, hidden characters gone, white space runs as one space, trimmed.

    A letter keeps at most 30 accents.
    """
    if not text.isascii():
        text = _formed("NFC", text)
    if not text.isprintable():
        text = _HIDDEN.sub("", text)
    line = " ".join(text.split())
    if not line.strip(_BLANKS):
        return ""
    return line if line.isprintable() or any(map(str.isprintable, line.replace(" ", ""))) else ""


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


def comparison_key(text: str) -> str:
    """What is left when case, punctuation and spacing are taken away; equal keys mean equal wording.

    Digits, letters of every script, %, +, and currency signs stay: "5%" and "5" differ. A text of
    punctuation alone is its own key, so that "?" and "!" stay apart.
    """
    folded = _formed("NFKC", text).casefold().translate(_APOSTROPHES).replace("'", "")
    return _NOT_WORD.sub(" ", folded).strip() or folded.strip()
