"""Files that a person gives to compare: articles, and headlines of systems; all are read or none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Final

from core.data.articles.articles import Articles, article_sources
from core.data.articles.comparison_file import (
    ComparisonColumns,
    ComparisonPreview,
    parse_comparison,
    sniff_comparison,
)
from core.data.articles.load import info, is_registered, known, load_articles
from core.data.articles.numhg import NumEval
from core.data.articles.outputs import Outputs, load_outputs, parse_outputs
from core.data.timelines.samples import PREFIX
from core.errors import CoreError, InputError, UnknownNameError
from core.headlines.generator import HeadlineStyle, Wishes
from core.headlines.published import PREDICTIONS
from core.headlines.writing.suggesting import title_of, write_headlines
from core.models.language_models.language_model import Length
from core.runtime import Runtime, data_folder


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file as it was handed in."""

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
    given: GivenFile | None,
    outputs: Sequence[GivenFile],
    open_now: Articles | None = None,
    columns: ComparisonColumns | None = None,
) -> Loaded:
    """Reads articles, and headlines for them."""
    articles, notes = open_now, tuple[str, ...]()
    systems: list[Outputs] = []
    problems: list[CoreError] = []
    if given is not None:
        try:
            articles, notes, systems = _read_articles(given, columns)
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
    marked = tuple(f"{one.system}: {one.marked_note}" for one in systems if one.marked_note)
    return Loaded(None if given is None else articles, tuple(systems), notes + marked, ())


def _read_articles(
    given: GivenFile, columns: ComparisonColumns | None
) -> tuple[Articles, tuple[str, ...], list[Outputs]]:
    name = PurePath(given.name).name or "articles"
    chosen = columns or sniff_comparison(given.data, name).proposed
    read, systems = parse_comparison(given.data, name, chosen)
    return read.articles, read.notes, systems


class FileUse(StrEnum):
    """What a file of headlines is to the open articles."""

    COMPARISON = "comparison"
    MORE = "more"
    RUN = "run"


def proposed_use(preview: ComparisonPreview, articles: Articles, outputs: Sequence[Outputs]) -> FileUse:
    """What a table seems to be: judged by its first rows, for a person to confirm.

    Rows with the ids of open articles, and with no other text or original headline than theirs, are another
    run where a system has the name of an open one, and more headlines otherwise. All else is a comparison of
    its own.
    """
    chosen, at = preview.proposed, {name: place for place, name in enumerate(preview.columns)}
    row_of = {name: row for row, name in enumerate(articles.ids)}
    if not chosen.id:
        return FileUse.COMPARISON
    for cells in preview.rows:
        row = row_of.get(cells[at[chosen.id]].strip())
        if row is None:
            return FileUse.COMPARISON
        pairs = [(name, articles.references[row][:1]) for name in chosen.references[:1]]
        pairs += [(name, (articles.texts[row],)) for name in (chosen.text,) if name]
        both = [(cells[at[name]], own[0]) for name, own in pairs if cells[at[name]] and any(own)]
        if not all(one.split()[:5] == two.split()[:5] for one, two in both):
            return FileUse.COMPARISON
    names = {cells[at[chosen.system]] for cells in preview.rows} if chosen.is_long else set(chosen.systems)
    return FileUse.RUN if names & {one.system for one in outputs} else FileUse.MORE


FILE: Final = "outputs.jsonl"
"""Beside a sample's articles: one line an article and system, with the generator's signature and the date."""


def open_set(name: str) -> tuple[Articles, list[Outputs]]:
    """Articles by name, and what ships or was published for them."""
    if not name.startswith(PREFIX) and not is_registered(name):
        # A link holds the name: it must not open what else lies on the computer.
        raise UnknownNameError(
            f"There are no articles called {name[:80]!r}.",
            hint=f"Choose one of: {', '.join([*known(), *article_sources.names()])}.",
        )
    articles = load_articles(name)
    if name.startswith(PREFIX):
        path = info(name.removeprefix(PREFIX)).path.with_name(FILE)
        return articles, _signed(path, load_outputs(path, articles)) if path.is_file() else []
    published = data_folder() / PREDICTIONS
    if article_sources.get(name) is NumEval and published.is_file():
        return articles, load_outputs(published, articles)
    return articles, []


def written_by(wanted: str, articles: Articles, wishes: Wishes, runtime: Runtime) -> Outputs:
    """The best headline of a generator for every article, as the outputs of a system."""
    written = write_headlines(articles, wanted, wishes, runtime)
    asked = [
        *([wishes.style.value] if wishes.style is not HeadlineStyle.NEUTRAL else []),
        *([wishes.length.value] if wishes.length is not Length.USUAL else []),
    ]
    return written.outputs(", ".join([title_of(written.system), *asked]))


def _signed(path: Path, outputs: Sequence[Outputs]) -> list[Outputs]:
    sources = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources[row["system"]] = f"{row['signature']}, {row['date']}"
    return [replace(one, source=sources[one.system], unused=()) for one in outputs]
