"""Two runs of the same systems on the same articles: what changed, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.articles.articles import Articles
from core.data.articles.comparison_file import ComparisonColumns, parse_comparison
from core.data.articles.outputs import Outputs, holds_lines, parse_outputs
from core.data.timelines.raw import listing
from core.errors import InputError
from core.headlines.comparison.comparison import Comparison

BEFORE: Final = "{} (before)"
"""What a system of the earlier run is called beside the later one."""
_AGREE: Final = 0.5
"""Share of the articles that must have the same text, or original headline, in both files."""


@dataclass(frozen=True, slots=True, eq=False)
class Reruns:
    """Systems that two runs have in common, on the articles that both have.

    Attributes:
        articles: Those n articles, in the order of the open ones.
        systems: Names of the systems.
        before: Their earlier headlines, a system each, called by `BEFORE`.
        after: Their later ones.
        notes: Sentences on what only one of the two runs has.
    """

    articles: Articles
    systems: tuple[str, ...]
    before: tuple[Outputs, ...]
    after: tuple[Outputs, ...]
    notes: tuple[str, ...]

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
    by_name = {one.system: one for one in others}
    pairs = [(one, by_name[one.system]) for one in outputs if one.system in by_name]
    if not pairs and len(outputs) == len(others) == 1:
        pairs = [(outputs[0], others[0])]
    if not pairs:
        raise InputError(
            "No system of the other run has the name of an open one.",
            hint=f"Open are {listing([one.system for one in outputs])}; the file has "
            f"{listing([one.system for one in others])}. Give a system the same name in both.",
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
