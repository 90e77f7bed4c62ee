"""Candidate headlines of one article, one a line, as a journalist pastes them."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from core import limits
from core.data.timelines.decode import GZIP, decode, gunzip
from core.errors import InputError
from core.numerals.checks.article import is_table, why_unreadable
from core.numerals.checks.opening import HEADLINES
from core.text.markup import without_markup
from core.text.normalise import clean_line

_BULLET: Final = re.compile(r"^\s*[•◦▪*–—-]\s+")
"""What notes put before a line."""
_LISTED: Final = re.compile(r"\s*(?:\((\d{1,3})\)|(\d{1,3})[.)])\s+")
"""The number of a line in a list; of one line alone it may be the headline's own."""
_NAMES: Final = {*HEADLINES, "headlines", "candidate", "candidates"}


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
    """The headlines of a text, one a line; empty lines, bullets and the numbers of a list are left out.

    Numbers before lines are those of a list where at least two lines have them, each one more than the last.
    """
    bare = _without_list_numbers([_BULLET.sub("", line, count=1) for line in text.splitlines()])
    lines = {number: clean_line(without_markup(line)) for number, line in enumerate(bare, start=1)}
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


def _without_list_numbers(lines: Sequence[str]) -> Sequence[str]:
    found = [_LISTED.match(line) for line in lines]
    numbers = [int(one[1] or one[2]) for one in found if one]
    if len(numbers) < 2 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return lines
    return [line[one.end() :] if one else line for line, one in zip(lines, found, strict=True)]


def _headline_column(text: str, filename: str) -> str:
    """The headlines of a table with names in its first row, one a line; any other text as it is."""
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    delimiter = "\t" if "\t" in first else ","
    rows = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter) if any(row)]
    names = [name.strip().casefold() for name in rows[0]] if rows else []
    column = next((names.index(name) for name in (*HEADLINES, *_NAMES) if name in names), None)
    if column is not None and (len(names) > 1 or is_table(filename)):
        return "\n".join(" ".join(row[column].split()) for row in rows[1:] if len(row) > column)
    if len(names) > 1 and is_table(filename):
        raise InputError(
            f"{filename[:80]} has no column that is named headline.",
            hint="Name the column of the headlines “headline”, or give a text file with one on each line.",
        )
    return text


def parse_candidates(data: bytes, filename: str) -> tuple[str, ...]:
    """The headlines of a text file, one a line, or of the column "headline" of a CSV or TSV file."""
    try:
        text = decode(gunzip(data) if data.startswith(GZIP) else data).text
    except InputError as error:
        raise InputError(
            f"{filename[:80]} is no text: {error.message[:1].lower()}{error.message[1:]}",
            hint="Give a text file with one headline on each line, best in UTF-8.",
        ) from None
    return read_candidates(_headline_column(text, filename))


def example() -> CandidateExample:
    """The example that the Numerals page offers."""
    told = tomllib.loads(files(__package__).joinpath("example.toml").read_text(encoding="utf-8"))
    return CandidateExample(" ".join(told["article"].split()), tuple(told["headlines"]))
