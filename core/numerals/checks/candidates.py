"""Candidate headlines of one article, one a line, as a journalist pastes them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from core import limits
from core.data.timelines.decode import GZIP, decode, gunzip
from core.errors import InputError
from core.numerals.checks.article import why_unreadable
from core.text.markup import without_markup
from core.text.normalise import clean_line

_BULLET: Final = re.compile(r"\s*[•◦▪*–—-]\s+")
"""What notes put before a line; a number may be the headline's own."""


@dataclass(frozen=True, slots=True)
class CandidateExample:
    """An article and candidate headlines for it, to try the check with.

    Attributes:
        article: Plain text.
        headlines: Some right, some wrong, some to be checked by a person.
    """

    article: str
    headlines: tuple[str, ...]


def read_candidates(text: str) -> tuple[str, ...]:
    """The headlines of a text, one a line; empty lines and bullets are left out.

    Raises:
        InputError: There is none, there are more than `limits.CANDIDATE_HEADLINES`, or one is too long.
    """
    lines = {
        number: clean_line(without_markup(_BULLET.sub("", line, count=1)))
        for number, line in enumerate(text.splitlines(), start=1)
    }
    found = {number: line for number, line in lines.items() if line}
    if not found:
        raise InputError(
            "There is no headline to check.", hint="Give the headlines that you consider, one on each line."
        )
    most = limits.CANDIDATE_HEADLINES.value
    if len(found) > most:
        raise InputError(
            f"There are {len(found):,} headlines; at most {most:,} are checked together.",
            hint="Leave some out, or put headlines and article into a table for the command line.",
        )
    for number, line in found.items():
        if why_unreadable(line):
            raise InputError(
                f"Line {number:,} has {len(line):,} characters; a headline has at most "
                f"{limits.HEADLINE_CHARACTERS.value:,}.",
                hint="Give one headline on each line, and the article as the article.",
            )
    return tuple(found.values())


def parse_candidates(data: bytes, filename: str) -> tuple[str, ...]:
    """The headlines of a text file, one a line.

    Args:
        data: Plain text, gz or not, in any encoding that can be recognised.
        filename: Its name, for messages.

    Raises:
        InputError: It is no text, or as of `read_candidates`.
    """
    try:
        text = decode(gunzip(data) if data.startswith(GZIP) else data).text
    except InputError as error:
        raise InputError(
            f"{filename[:80]} is no text: {error.message[:1].lower()}{error.message[1:]}",
            hint="Give a text file with one headline on each line, best in UTF-8.",
        ) from None
    return read_candidates(text)


def example() -> CandidateExample:
    """The example that the Numerals page offers."""
    told = tomllib.loads(files(__package__).joinpath("example.toml").read_text(encoding="utf-8"))
    return CandidateExample(" ".join(told["article"].split()), tuple(told["headlines"]))
