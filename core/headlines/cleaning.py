"""What a language model wrote, as a headline: one line without labels, quotation marks and full stops."""

from __future__ import annotations

import re
from typing import Final

from core.headlines.extractive import shortened
from core.text.normalise import clean_line

_LABEL: Final = re.compile(r"(?:news\s+)?(?:headline|title|заголовок|titolo)\s*[:：]\s*", re.IGNORECASE)
_UNKNOWN: Final = re.compile(r"<unk>|\[UNK\]|⁇|\ufffd", re.IGNORECASE)
_MARKUP: Final = "*_#` "
_QUOTES: Final = ('""', "''", "“”", "‘’", "«»", "„“")


def clean_headline(text: str, *, most_words: int = 0) -> str:
    """The first line that says something, without what is no part of a headline.

    A label ("Headline:"), signs of markup, quotation marks around the whole, one full stop at the end and
    signs for unknown words are taken off.

    Args:
        text: As it was written.
        most_words: Longer headlines are cut there; 0 for no limit.

    Returns:
        "" where nothing has a letter or a digit.
    """
    lines = (clean_line(_UNKNOWN.sub("", line)) for line in text.splitlines())
    for line in lines:
        bare = _LABEL.sub("", line.strip(_MARKUP), count=1) if _LABEL.match(line.strip(_MARKUP)) else line
        bare = shortened(_unquoted(bare.strip(_MARKUP)), most_words)
        bare = _without_stop(_unquoted(bare))
        if any(map(str.isalnum, bare)):
            return bare
    return ""


def _unquoted(line: str) -> str:
    """Without quotation marks around the whole line, or one that is never closed or opened."""
    for left, right in _QUOTES:
        inside = line[1:-1]
        if (
            len(line) > 2
            and line[0] == left
            and line[-1] == right
            and left not in inside
            and right not in inside
        ):
            return inside.strip()
        if left != "'" and line.count(left) + (line.count(right) if left != right else 0) == 1:
            line = line.removeprefix(left).removesuffix(right).strip()
    return line


def _without_stop(line: str) -> str:
    """Without one full stop; those of "U.S." and "…" stay."""
    last = line.rpartition(" ")[2]
    return line[:-1].rstrip() if last.endswith(".") and last.count(".") == 1 else line
