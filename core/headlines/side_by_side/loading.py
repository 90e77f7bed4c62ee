"""Files that a person gives to compare: articles, and headlines of systems; all are read or none."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from core.data.articles.article_file import parse_articles, whole_table
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.articles.outputs_file import articles_with_outputs, parse_outputs
from core.errors import CoreError, InputError

_PREDICTED: Final = re.compile(r"(?:pred|prediction|system|generated)_.+", re.IGNORECASE | re.DOTALL)
"""Columns that hold headlines of systems wherever they stand; a lone `headline` beside a text is people's."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file as it was handed in.

    Attributes:
        name: Its name.
        data: Its bytes.
    """

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """What was read.

    Attributes:
        articles: The articles, None where no file of articles was given.
        outputs: The systems, those of the file of articles first.
        notes: Sentences on what was decided while reading.
        problems: What is wrong, one entry a file; where there is any, the rest is empty.
    """

    articles: Articles | None
    outputs: tuple[Outputs, ...]
    notes: tuple[str, ...]
    problems: tuple[CoreError, ...]


def load_given(
    given: GivenFile | None, outputs: Sequence[GivenFile], open_now: Articles | None = None
) -> Loaded:
    """Reads articles, and headlines for them.

    Args:
        given: A table of articles, perhaps with headlines of systems in it; None for those that are open.
        outputs: Files of headlines.
        open_now: The articles that are open.

    Raises:
        InputError: There are no articles at all.
    """
    articles, notes = open_now, tuple[str, ...]()
    systems: list[Outputs] = []
    problems: list[CoreError] = []
    if given is not None:
        try:
            articles, notes, systems = _read_articles(given)
        except CoreError as error:
            return Loaded(None, (), (), (error,))
    if articles is None:
        raise InputError("There are no articles.", hint="Give a file of articles.")
    for file in outputs:
        try:
            systems += parse_outputs(file.data, file.name, articles)
        except CoreError as error:
            problems.append(error)
    if problems:
        return Loaded(None, (), (), tuple(problems))
    return Loaded(None if given is None else articles, tuple(systems), notes, ())


def _read_articles(given: GivenFile) -> tuple[Articles, tuple[str, ...], list[Outputs]]:
    name = PurePath(given.name).name or "articles"
    columns = map(str, whole_table(given.data, name).cells.columns)
    if not any(_PREDICTED.fullmatch(column) for column in columns):
        read = parse_articles(given.data, name)
        return read.articles, read.notes, []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(given.data)
        read, systems = articles_with_outputs(path)
    return read.articles, read.notes, systems
