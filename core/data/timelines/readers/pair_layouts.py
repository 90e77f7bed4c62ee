"""Layouts of files of labelled pairs, read as the headlines that they were made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.data.timelines import column_names, duplicates
from core.data.timelines.raw import Layout, RawTable, texts_frame
from core.data.timelines.timeline import Field, RejectedRow
from core.errors import InputError
from core.files import read_tables
from core.text.normalise import clean_line

SAME, OTHER = True, False
_TABLES: Final = read_tables(__file__, "layouts")
FIELDS: dict[str, Field] = {name: Field(field) for name, field in _TABLES["rebuilt"].items()}
# As appendix C of Laban et al. 2021 says ("1 if paraphrase"); the hub loader's class names say the opposite.
_HLGD_LABELS = {"1": SAME, "0": OTHER, "1.0": SAME, "0.0": OTHER, "true": SAME, "false": OTHER}
_TELEGRAM_NAMES = {"headline": "title", "url": "url", "body": "text", "date": "date"}
_TELEGRAM_LABELS = {"ok": SAME, "bad": OTHER}
_LABEL_NAMES = ("quality", "result", "res", "label")
_SIDES = ("first", "second")


@dataclass(frozen=True, slots=True)
class PairColumns:
    sides: tuple[Mapping[str, str], Mapping[str, str]]
    label: str
    labels: Mapping[str, bool]
    timeline: str = ""


def rebuild(table: RawTable, columns: PairColumns, *, gold_from_conflicts: bool) -> RawTable:
    """The distinct headlines of a pair file as rows, in order of first appearance; the same by timeline,
    address, wording and date. Gold groups join the pairs that are labelled the same.
    """
    outputs = [name for name in FIELDS if name in columns.sides[0]]
    sides = [{name: table.column(side[name]) for name in outputs} for side in columns.sides]
    every = {name: table.column(name) for name in table.columns}  # once: each makes a list of all rows
    labels = every[columns.label]
    timelines = table.column(columns.timeline) if columns.timeline else [""] * len(table)
    seen: dict[tuple[str, ...], int] = {}
    rows: list[list[str | None]] = []
    lines: list[int] = []
    rejected: list[RejectedRow] = []
    same: list[tuple[int, int]] = []
    other: list[tuple[int, int]] = []
    for i, line in enumerate(table.lines.tolist()):
        label = columns.labels.get((labels[i] or "").strip().casefold())
        blank = next((s for s in (0, 1) if not clean_line(sides[s]["headline"][i] or "")), None)
        if label is None or blank is not None:
            cells = {name: texts[i] or "" for name, texts in every.items()}
            column = columns.label if blank is None else columns.sides[blank]["headline"]
            unknown = f"The label is not one of {', '.join(columns.labels)}."
            reason = unknown if blank is None else "The headline is empty."
            rejected.append(RejectedRow(line, column, cells[column][:200], reason, cells))
            continue
        pair: list[int] = []
        for side in sides:
            values = [side[name][i] for name in outputs]
            said = dict(zip(outputs, (clean_line(v or "") for v in values), strict=True))
            key = (timelines[i] or "", said.get("url", ""), said["headline"], said.get("date", ""))
            row = seen.setdefault(key, len(rows))
            if row == len(rows):
                rows.append([timelines[i], *values] if columns.timeline else values)
                lines.append(line)
            pair.append(row)
        (same if label else other).append((pair[0], pair[1]))
    if not rows:
        hint = f"The label column is {columns.label!r}; its values may be {', '.join(columns.labels)}."
        raise InputError(f"None of the {len(table):,} pairs has two headlines and a known label.", hint=hint)
    groups = duplicates.components(len(rows), same)
    conflicts = sum(int(groups[a] == groups[b]) for a, b in other)
    names = (["timeline"] if columns.timeline else []) + outputs
    mapping = {FIELDS[name]: (name,) for name in outputs}
    note = "Gold groups join the pairs labelled the same; headlines never paired count as different."
    if conflicts and gold_from_conflicts:
        note = f"{conflicts:,} pairs labelled different fell into one gold group through others."
    elif conflicts:
        note = f"No gold groups: {conflicts:,} pairs labelled different are joined through other pairs."
    if not conflicts or gold_from_conflicts:
        names.append("gold_group")
        numbers = np.unique(groups, return_inverse=True)[1] + 1
        rows = [[*row, str(number)] for row, number in zip(rows, numbers.tolist(), strict=True)]
        mapping[Field.GOLD] = ("gold_group",)
    return RawTable(
        cells=texts_frame(rows, names),
        lines=np.array(lines, dtype=np.int64),
        mapping=mapping,
        rejected=(*table.rejected, *rejected),
        notes=(*table.notes, f"{len(table):,} pairs were rebuilt to {len(rows):,} headlines.", note),
        encoding=table.encoding,
        delimiter=table.delimiter,
        timeline_column="timeline" if columns.timeline else "",
        ledger={**table.ledger, "pairs": len(table) - len(rejected)},
    )


def _arrange_hlgd(table: RawTable) -> RawTable:
    a, b = (
        column_names.find(
            table.columns,
            {name: forms.format(side, side).split() for name, forms in _TABLES["hlgd_pairs"].items()},
        )
        for side in "ab"
    )
    both = [name for name in a if name in b]
    columns = PairColumns(
        sides=({name: a[name] for name in both}, {name: b[name] for name in both}),
        label="label",
        labels=_HLGD_LABELS,
        timeline=next((name for name in ("timeline_id", "timeline") if name in table.columns), ""),
    )
    # The release was merged from five annotators, so a few contradictions are part of the data.
    return rebuild(table, columns, gold_from_conflicts=True)


HLGD_PAIRS = Layout(
    "hlgd_pairs",
    "HLGD pairs",
    ("headline_a", "headline_b", "label"),
    lambda table: {"headline_a", "headline_b", "label"} <= set(table.columns),
    _arrange_hlgd,
)


def _telegram(table: RawTable) -> dict[str, str]:
    names = {
        f"{side} {name}": [f"{side}_{part}"] for name, part in _TELEGRAM_NAMES.items() for side in _SIDES
    }
    return column_names.find(table.columns, {**names, "label": _LABEL_NAMES})


def _is_telegram(table: RawTable) -> bool:
    names = _telegram(table)
    if not {"first headline", "second headline", "label"} <= names.keys():
        return False
    return any((value or "").strip().casefold() in _TELEGRAM_LABELS for value in table.column(names["label"]))


def _arrange_telegram(table: RawTable) -> RawTable:
    names = _telegram(table)
    both = [name for name in _TELEGRAM_NAMES if {f"{side} {name}" for side in _SIDES} <= names.keys()]
    first, second = ({name: names[f"{side} {name}"] for name in both} for side in _SIDES)
    columns = PairColumns(sides=(first, second), label=names["label"], labels=_TELEGRAM_LABELS)
    return rebuild(table, columns, gold_from_conflicts=False)


TELEGRAM_PAIRS = Layout(
    "telegram_pairs",
    "Telegram contest pairs",
    ("first_title", "second_title", "quality"),
    _is_telegram,
    _arrange_telegram,
)
