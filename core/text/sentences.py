"""Sentences of an article, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from core.text.language import detect

SPLIT_AT_ONCE: Final = 3_000
"""Characters that sentencex is given at once: its time grows with more than their square."""
_LONGEST_TITLE: Final = 8
_SPACE: Final = re.compile(r"\s+")
_ELLIPSIS: Final = re.compile(r"(?<=…)\s+(?=[^\W\d_a-zа-яё])")
_BRACKET: Final = re.compile(r"(?<=[.!?]\))\s+(?=[^\W\d_a-zа-яё])")
_TITLES: Final = {
    "en": re.compile(r"\b(?:Reps?|Sens?|Gov|Lt|Sgt|Col|Capt|Gen|Adm|Dr|Mr|Mrs|Ms|St|vs)\.$"),
    "it": re.compile(r"\b(?:dott|sigg?|on|prof|ing|avv|sen|artt?|pag|nr|Dott|Sig|On|Prof|Avv|Art)\.$"),
}
_HOUR: Final = re.compile(r"\b[ap]\.m\.$")
_DAY: Final = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:[ECMP][SD]?T|GMT|UTC|BST)\b|local|on|in|and|to)"
)


def split_sentences(text: str, *, language: str | None = None) -> list[str]:
    """The sentences of a text, in order, each on one line.

    Russian is split by razdel, everything else by sentencex, with abbreviations that it does not know
    (titles in English and Italian, hours before a day) joined again, and blank lines as ends.
    """
    chosen = language_of(text) if language is None else language
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        line = _SPACE.sub(" ", paragraph).strip()
        if line:
            found += _russian(line) if chosen == "ru" else _other(line, chosen)
    return found


@lru_cache(maxsize=4_096)
def language_of(text: str) -> str:
    """ISO 639-1 code of a text's language, "en" where it cannot be told."""
    return detect([text[:600]])[0] or "en"


def _russian(line: str) -> list[str]:
    import razdel

    return [piece.text for piece in razdel.sentenize(line) if piece.text]


def _other(line: str, language: str) -> list[str]:
    import sentencex

    pieces: list[str] = []
    start = 0
    while start < len(line):
        end = _window_end(line, start)
        found = sentencex.segment(language, line[start:end])
        # What the window cuts in two is read again from its beginning, unless nothing stands before it.
        kept = found[:-1] if end < len(line) and len(found) > 1 else found
        pieces += (piece.strip() for piece in kept)
        start += sum(map(len, kept))
    return [
        sentence
        for joined in _joined(pieces, language)
        for part in _ELLIPSIS.split(joined)
        for sentence in _BRACKET.split(part)
        if sentence
    ]


def _window_end(line: str, start: int) -> int:
    end = start + SPLIT_AT_ONCE
    if end >= len(line):
        return len(line)
    return line.rfind(" ", start, end) + 1 or end


def _joined(pieces: Sequence[str], language: str) -> Iterator[str]:
    title = _TITLES.get(language, _TITLES["en"])
    held = ""
    for piece in pieces:
        ending = held[-_LONGEST_TITLE:]
        if held and not (title.search(ending) or (_HOUR.search(ending) and _DAY.match(piece))):
            yield held
            held = ""
        held = f"{held} {piece}".strip()
    if held:
        yield held
