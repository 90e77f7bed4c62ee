"""Two runs of the same systems on the same articles: what changed, and by how much."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.articles.articles import Articles, article_sources, info, is_registered, known, load_articles
from core.data.articles.comparison_file import (
    ComparisonColumns,
    ComparisonPreview,
    parse_comparison,
    sniff_comparison,
)
from core.data.articles.outputs import Outputs, holds_lines, load_outputs, parse_outputs
from core.data.articles.sets import NumEval
from core.data.timelines.load import PREFIX
from core.data.timelines.raw import listing
from core.errors import CoreError, InputError, UnknownNameError
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import PREDICTIONS
from core.headlines.generator import GenerationOptions, HeadlineStyle
from core.headlines.writing import title_of, write_headlines
from core.models.language_models.language_model import Length
from core.runtime import Runtime, data_folder

BEFORE: Final = "{} (before)"
"""What a system of the earlier run is called beside the later one."""
_AGREE: Final = 0.5
"""Share of the articles that must have the same text, or original headline, in both files."""


@dataclass(frozen=True, slots=True, eq=False)
class Reruns:
    """Systems that two runs have in common, on the articles that both have."""

    articles: Articles  # those n articles, in the order of the open ones
    systems: tuple[str, ...]  # names of the systems
    before: tuple[Outputs, ...]  # their earlier headlines, a system each, called by `BEFORE`
    after: tuple[Outputs, ...]  # their later ones
    notes: tuple[str, ...]  # sentences on what only one of the two runs has

    def changed(self, system: int) -> npt.NDArray[np.bool_]:
        """Where a system wrote something else, bool [n]."""
        pairs = zip(self.before[system].headlines, self.after[system].headlines, strict=True)
        return np.array([one != other for one, other in pairs], dtype=np.bool_)


def parse_run(
    data: bytes, filename: str, articles: Articles, columns: ComparisonColumns | None = None
) -> tuple[Articles, tuple[Outputs, ...]]:
    """Another run from a file: headlines for just the open articles, or a table with articles of its own."""
    if holds_lines(filename):
        return articles, tuple(parse_outputs(data, filename, articles))
    try:
        read, systems = parse_comparison(data, filename, columns)
    except InputError as problem:
        # Ids and headlines of one system have nothing to be compared with but the open articles.
        try:
            return articles, tuple(parse_outputs(data, filename, articles))
        except InputError:
            raise problem from None
    return read.articles, tuple(systems)


def reruns(
    articles: Articles,
    outputs: Sequence[Outputs],
    other: Articles,
    others: Sequence[Outputs],
    *,
    earlier: bool = True,
) -> Reruns:
    """Lays two runs beside each other.

    Articles belong together by their ids; by their order where neither file has ids. Systems belong together
    by their names; where each run has just one, those two do.
    """
    rows, places = _common(articles, other)
    _check_same(articles, other, rows, places)
    pairs = _pairs(outputs, others)
    ours = [_at(one, rows) for one, _ in pairs]
    theirs = [replace(_at(two, places), system=one.system) for one, two in pairs]
    before, after = (theirs, ours) if earlier else (ours, theirs)
    return Reruns(
        articles=articles.at(rows),
        systems=tuple(one.system for one in ours),
        before=tuple(replace(one, system=BEFORE.format(one.system)) for one in before),
        after=tuple(after),
        notes=(*_left_out(len(articles), len(other), len(rows)), *_alone(outputs, others, pairs)),
    )


def largest_changes(comparison: Comparison, runs: Reruns, system: int, key: str, *, order: str) -> IntArray:
    """Rows of the articles on which a system wrote something else, int64 [changed]."""
    gap = gaps(comparison, runs, system, key)
    rows = np.flatnonzero(runs.changed(system))
    known = np.nan_to_num(gap[rows], nan=0.0)
    by = {"size": -np.abs(known), "up": -known, "down": known}[order]
    return np.asarray(rows[np.argsort(by, kind="stable")], dtype=np.int64)


def gaps(comparison: Comparison, runs: Reruns, system: int, key: str) -> npt.NDArray[np.float64]:
    """Later score minus earlier one of each article in a column, float64 [n]; NaN where undefined."""
    scores = comparison.scores(key)
    later = scores[comparison.system(runs.after[system].system)]
    return np.asarray(later - scores[comparison.system(runs.before[system].system)])


def _at(one: Outputs, rows: Sequence[int]) -> Outputs:
    return replace(one, headlines=tuple(one.headlines[row] for row in rows), published={})


def _common(articles: Articles, other: Articles) -> tuple[list[int], list[int]]:
    numbered = [one.ids == tuple(map(str, range(len(one)))) for one in (articles, other)]
    if set(articles.ids) != set(other.ids) and any(numbered):
        if len(articles) == len(other):
            return list(range(len(articles))), list(range(len(other)))
        if all(numbered):
            raise InputError(
                f"The other run has {len(other):,} articles, the open one {len(articles):,}, and no ids say "
                "which belong together.",
                hint="Give both files a column id, or the same articles in the same order.",
            )
    place_of = {name: place for place, name in enumerate(other.ids)}
    rows = [row for row, name in enumerate(articles.ids) if name in place_of]
    if not rows:
        raise InputError(
            f"None of the {len(other):,} articles of the other run is open: no id is the same.",
            hint="Give a run on the same articles, with the same ids.",
        )
    return rows, [place_of[articles.ids[row]] for row in rows]


def _check_same(articles: Articles, other: Articles, rows: Sequence[int], places: Sequence[int]) -> None:
    for name, ours, theirs in (
        ("texts", articles.texts, other.texts),
        ("original headlines", articles.references, other.references),
    ):
        both = [
            (_words(ours[row]), _words(theirs[place]))
            for row, place in zip(rows, places, strict=True)
            if ours[row] and theirs[place]
        ]
        if both and sum(one == two for one, two in both) < _AGREE * len(both):
            raise InputError(
                f"The other run is on other articles: most of the {name} differ.",
                hint="Give a run on the same articles; where the order differs, give both a column id.",
            )


def _words(text: str | tuple[str, ...]) -> list[str]:
    return (text if isinstance(text, str) else " ".join(text)).split()


def _pairs(outputs: Sequence[Outputs], others: Sequence[Outputs]) -> list[tuple[Outputs, Outputs]]:
    by_name = {other.system: other for other in others}
    pairs = [(output, by_name[output.system]) for output in outputs if output.system in by_name]
    if not pairs and len(outputs) == len(others) == 1:
        pairs = [(outputs[0], others[0])]
    if not pairs:
        raise InputError(
            "No system of the other run has the name of an open one.",
            hint=f"Open are {listing([output.system for output in outputs])}; the file has "
            f"{listing([other.system for other in others])}. Give a system the same name in both.",
        )
    return pairs


def _left_out(ours: int, theirs: int, common: int) -> list[str]:
    if common == max(ours, theirs):
        return []
    return [
        f"Compared are the {common:,} articles that both runs have; the open one has {ours:,}, the other "
        f"{theirs:,}."
    ]


def _alone(
    outputs: Sequence[Outputs], others: Sequence[Outputs], pairs: Sequence[tuple[Outputs, Outputs]]
) -> list[str]:
    notes = []
    for where, all_of, paired in (
        ("the open run", outputs, {one.system for one, _ in pairs}),
        ("the other run", others, {two.system for _, two in pairs}),
    ):
        alone = [one.system for one in all_of if one.system not in paired]
        if alone:
            notes.append(f"Only {where} has {listing(alone)}.")
    return notes


@dataclass(frozen=True, slots=True)
class GivenFile:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    articles: Articles | None  # the articles, None where no file of articles was given
    outputs: tuple[Outputs, ...]  # the systems, those of the file of articles first
    notes: tuple[str, ...]  # sentences on what was decided while reading
    problems: tuple[CoreError, ...]  # what is wrong, one entry a file; where there is any, the rest is empty


def load_given(
    given: GivenFile | None,
    outputs: Sequence[GivenFile],
    open_now: Articles | None = None,
    columns: ComparisonColumns | None = None,
) -> Loaded:
    articles, notes = open_now, tuple[str, ...]()
    systems: list[Outputs] = []
    problems: list[CoreError] = []
    if given is not None:
        try:
            name = PurePath(given.name).name or "articles"
            chosen = columns or sniff_comparison(given.data, name).proposed
            read, systems = parse_comparison(given.data, name, chosen)
            articles, notes = read.articles, read.notes
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
    marked = tuple(f"{system.system}: {system.marked_note}" for system in systems if system.marked_note)
    return Loaded(None if given is None else articles, tuple(systems), notes + marked, ())


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
    return FileUse.RUN if names & {output.system for output in outputs} else FileUse.MORE


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


def written_by(wanted: str, articles: Articles, options: GenerationOptions, runtime: Runtime) -> Outputs:
    """The best headline of a generator for every article, as the outputs of a system."""
    written = write_headlines(articles, wanted, options, runtime)
    asked = [
        *([options.style.value] if options.style is not HeadlineStyle.NEUTRAL else []),
        *([options.length.value] if options.length is not Length.USUAL else []),
    ]
    return written.outputs(", ".join([title_of(written.system), *asked]))


def _signed(path: Path, outputs: Sequence[Outputs]) -> list[Outputs]:
    sources = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources[row["system"]] = f"{row['signature']}, {row['date']}"
    return [replace(output, source=sources[output.system], unused=()) for output in outputs]
