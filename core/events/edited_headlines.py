"""The headlines that outlets gave one article, one after the other: what changed, and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.data.timelines.timeline import Field, Timeline
from core.events.figures import StatedValue, figures_of
from core.events.number_lines import value_point
from core.events.report_times import NOT_KNOWN, moment_of
from core.results.table import Table, TableColumn
from core.text.facts import FURTHER, PEOPLE, SPAN, VERB, Fact
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import agree, read_quantities

_COLUMNS: Final = (
    "outlet", "edited", "before", "after", "numbers changed", "first published", "address"
)  # fmt: skip
_AMOUNTS: Final = frozenset(
    {NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE, NumeralKind.DURATION}
)
_UNORDERED: Final = "wording", "also worded"  # of which no time says which came first


class DiffPart(NamedTuple):
    text: str
    sign: str  # "-" for words taken out, "+" for words put in, "" for those that stay


@dataclass(frozen=True, slots=True)
class HeadlineEdit:
    before: int  # rows of the timeline
    after: int
    outlet: str  # "" where it is not known
    when: str  # "6 Sep 2026, 14:20 UTC"; "" where no time says so
    numbers: tuple[str, ...]  # "changed 14 → 9 dead", "no longer says 14 dead"
    diff: tuple[DiffPart, ...]
    also: str = ""  # the other wording, where no time says which came first

    @property
    def said(self) -> str:
        """What changed, and when: "changed 14 → 9 dead, 6 Sep 2026, 12:04 UTC"."""
        if self.also:
            return f"also worded “{self.also}”; {NOT_KNOWN}"
        changed = ", ".join(self.numbers) or "changed its words"
        return f"{changed}, {self.when}" if self.when else changed


def edited_articles(timeline: Timeline) -> frozenset[int]:
    """Rows of all articles whose outlet changed the headline."""
    editions = timeline.editions
    edited = editions.article[[*editions.changes, *editions.unordered]]
    return frozenset(np.flatnonzero(np.isin(editions.article, edited)).tolist())


def headline_edits(timeline: Timeline, rows: Sequence[int], zone: tzinfo = UTC) -> list[HeadlineEdit]:
    """Every change of the headline of some rows' articles, by article and time; spelling is none.

    Wordings in other events are among them: what came between says when a number changed.
    Those of which no time says which came first are last.
    """
    changes, unordered = timeline.editions.versions_among(rows)
    changes.sort(key=lambda pair: (timeline.editions.article[pair[1]], timeline.days[pair[1]]))
    edits = [headline_edit(timeline, *pair, zone) for pair in changes]
    return edits + [headline_edit(timeline, *pair, ordered=False) for pair in unordered]


def headline_edit(
    timeline: Timeline, before: int, after: int, zone: tzinfo = UTC, *, ordered: bool = True
) -> HeadlineEdit:
    texts, days = timeline.texts, timeline.days
    outlet = timeline.publishers[after] or timeline.publishers[before] or ""
    if not ordered:
        return HeadlineEdit(before, after, outlet, "", (), (DiffPart(texts[before], ""),), texts[after])
    old, new = (_numbers(timeline, row) for row in (before, after))
    said = {
        row: {head: _amount(timeline, each) for head, each in own.items()}
        for row, own in ((before, old), (after, new))
    }
    numbers = [
        f"changed {said[before][head]} → {_counted(head, said[after][head], new[head])}" if head in new
        else f"no longer says {_counted(head, said[before][head], old[head])}"
        for head in old
        if (head not in new and not old[head].value.of_somebody)  # type: ignore[union-attr]
        or (head in new and not old[head].value.same(new[head].value))  # type: ignore[union-attr, arg-type]
    ]  # fmt: skip
    when = moment_of(timeline, after, zone) if days[after] > days[before] else ""
    diff = word_diff(texts[before], texts[after])
    numbers = numbers or _exchanged(diff, language_of(texts[after], doubtful=timeline.reading.language))
    return HeadlineEdit(before, after, outlet, when, tuple(numbers), diff)


def _exchanged(diff: Sequence[DiffPart], language: str) -> list[str]:
    """Numbers of no known thing in whose place others stand: "changed 1,200 → 120"."""
    said = []
    for old, new in pairwise(diff):
        left, right = (
            [each for each in read_quantities(part.text, language=language) if each.kind in _AMOUNTS]
            for part in (old, new)
        )
        if (old.sign, new.sign) == ("-", "+") and len(left) == len(right) == 1 and not agree(*left, *right):
            said.append(f"changed {left[0].text} → {right[0].text}")
    return said


def _numbers(timeline: Timeline, row: int) -> dict[str, StatedValue]:
    figures = figures_of(timeline, [row])
    stated = {head: own[-1][0] for head, own in figures.items() if not head.startswith((VERB, SPAN, FURTHER))}
    return {head: each for head, each in stated.items() if isinstance(each.value, Fact)}


def _counted(head: str, amount: str, stated: StatedValue) -> str:
    """A number and what it counts, people as the headline calls them: "9 dead", "Nine children"."""
    return stated.text if head == PEOPLE else f"{amount} {head}"


def _amount(timeline: Timeline, stated: StatedValue) -> str:
    point = value_point(timeline, stated)
    feared = isinstance(stated.value, Fact) and stated.value.more == "feared"
    return (point.written or point.said) + " feared" * feared


def word_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """Two headlines as one row of words: those that stay, those taken out, and those put in."""
    old, new = before.split(), after.split()
    parts = []
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            parts.append(DiffPart(" ".join(old[a:b]), ""))
            continue
        parts += [DiffPart(" ".join(old[a:b]), "-")] * (b > a)
        parts += [DiffPart(" ".join(new[c:d]), "+")] * (d > c)
    return tuple(parts)


def edit_columns(timeline: Timeline) -> dict[str, list[str]]:
    """For every row its article's number, what it replaced, and what is in force; {} if none was edited."""
    article, texts, edited = timeline.editions.article.tolist(), timeline.texts, edited_articles(timeline)
    if not edited:
        return {}
    columns = {name: [""] * len(texts) for name in ("article", "replaces", "replaced_by")}
    for after, before in timeline.editions.changes.items():
        columns["replaces"][after] = texts[before]
    days = timeline.days
    dated = sorted((row for row in edited if not np.isnan(days[row])), key=days.__getitem__)
    last = {article[row]: texts[row] for row in dated}
    for row in edited:
        columns["article"][row] = str(article[row] + 1)
        columns["replaced_by"][row] = last[article[row]] if row in timeline.editions.outdated else ""
    return columns


def edits_table(timeline: Timeline, edits: Sequence[HeadlineEdit]) -> Table:
    links = timeline.table[Field.URL]
    some = any(edit.also for edit in edits)
    rows = tuple(
        (
            edit.outlet, edit.when, *(2 * [""] if edit.also else texts),
            "; ".join(edit.numbers), "" if edit.also else moment_of(timeline, edit.before),
            links[edit.after] if isinstance(links[edit.after], str) else "",
            *(texts if edit.also else 2 * [""])[: 2 * some],
        )
        for edit in edits
        for texts in [[timeline.texts[edit.before], timeline.texts[edit.after]]]
    )  # fmt: skip
    return Table(columns=tuple(map(TableColumn, _COLUMNS + _UNORDERED * some)), rows=rows)
