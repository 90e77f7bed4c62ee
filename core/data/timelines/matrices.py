"""Sheets that have a column for each outlet, for each day or side by side, with headlines in their cells."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.data.timelines import columns, moments
from core.data.timelines.column_names import DATE_WORDS, FIRST, OTHER_ADDRESS, PARTS, field_of, key
from core.data.timelines.date_choice import sampled
from core.data.timelines.raw import RawTable, listing, texts_frame, unique_names
from core.data.timelines.timeline import Field

_FEWEST: Final = 3  # columns of headlines
_CODE: Final = 2  # letters of a language's code
_MOST_CHANNELS: Final = 5
_ALIKE: Final = 2.5  # times as long as in another column headlines are at most
_NUMBERED: Final = re.compile(r"(?<=[a-z])(?=\d+$)")
_OF_ONE: Final = (PARTS | OTHER_ADDRESS | {*FIRST[Field.PUBLISHER], *DATE_WORDS["owner"]}) - {"left", "right"}
"""Words for parts of one report, such as its translation, and for what stands around it, as its feed."""
_MOSTLY: Final = 0.8  # of the titles of a table differ

Block = dict[str, str]  # columns of one of several tables side by side, by their names without its word


def with_a_row_for_each_headline(table: RawTable) -> RawTable:
    """The table with a row for each headline, or with a note on columns that seem to hold further ones."""
    plain = bool(table.header) and not len(table.derived)
    if plain and (blocks := _side_by_side(table)):
        return _with_a_row_for_each(table, blocks)
    mapping = columns.propose(table) if plain else {}
    chosen = mapping.get(Field.HEADLINE, ("",))[0]
    if chosen and (whole := _filled_in_turn(table, chosen, mapping)) is not None:
        return whole
    if not chosen or field_of(chosen) is Field.HEADLINE or {Field.URL, Field.BODY} & mapping.keys():
        return table
    used = {names[0] for field, names in mapping.items() if field is not Field.HEADLINE}
    lengths = {name: columns.title_length(sampled(table.column(name))) for name in table.columns}
    usual = lengths[chosen] or 1.0
    titles = [
        name
        for name, length in lengths.items()
        if name == chosen or (name not in used and usual / _ALIKE <= length <= usual * _ALIKE)
    ]
    days = all(map(moments.is_date, titles))
    told = Field.PUBLISHED in mapping and Field.PUBLISHER not in mapping
    # "de" is a language where it stands alone, and an article in the name of a newspaper.
    words = [key(name).split("_") for name in titles]
    parts = any(word in PARTS and (len(word) > _CODE or len(name) == 1) for name in words for word in name)
    if len(titles) < _FEWEST or parts or not (told or days):
        others = [name for name in titles if name != chosen]
        note = f"The headlines are those of the column {chosen[:40]!r}; not read: {listing(others)}."
        return replace(table, notes=(*table.notes, note)) if others else table
    named = "day" if days else "rank" if _are_ranks(titles) else "outlet"
    return _with_a_row_for_each(table, [{"headline": name} for name in titles], named)


def _are_ranks(names: list[str]) -> bool:
    """Whether names count: Top1, Top2, …; a few of an abbreviation may be channels, as BBC 1."""
    stem = names[0].rstrip("01")
    counted = ([f"{stem}{at + first}" for at in range(len(names))] for first in (0, 1))
    return names in counted and (len(names) > _MOST_CHANNELS or not stem.strip().isupper())


def _side_by_side(table: RawTable) -> list[Block]:
    """The columns of each of several tables that a word tells apart: `left_title`, `left_url`, `right_…`."""
    for at in (0, -1):
        blocks: dict[str, Block] = {}
        for name in table.columns:
            words = _NUMBERED.sub("_", key(name)).split("_")
            rest = "_".join(words[1:] if at == 0 else words[:-1])
            if field_of(rest) and (
                words[at].isdigit() or (len(words[at]) > _CODE and words[at] not in _OF_ONE)
            ):
                blocks.setdefault(words[at], {})[rest] = name
        titled = {
            word: block
            for word, block in blocks.items()
            if any(_are_titles(sampled(table.column(block[rest]))) for rest in _titles(block))
        }
        (alike, count), *_ = Counter(map(tuple, titled.values())).most_common(1) or [((), 0)]
        numbered = all(word.isdigit() for word in titled)
        if count > 1 and (len(alike) > 1 or (numbered and count >= _FEWEST)):
            return [block for block in titled.values() if tuple(block) == alike]
    return []


def _are_titles(sample: Sequence[str]) -> bool:
    return columns.title_length(sample) > 0 and len(set(sample)) >= _MOSTLY * len(sample)


def _titles(block: Block) -> list[str]:
    return [rest for rest in block if field_of(rest) is Field.HEADLINE]


def _filled_in_turn(table: RawTable, chosen: str, mapping: columns.Mapped) -> RawTable | None:
    """The table with one column of headlines, where each row has its headline in one of several."""
    if all(table.column(chosen)):
        return None
    used = {name for names in mapping.values() for name in names}
    cells = table.cells.replace("", None)
    usual = columns.title_length(sampled(table.column(chosen)))
    taken, others = cells[chosen].notna().to_numpy(), list[str]()
    for name in table.columns:
        filled = cells[name].notna().to_numpy()
        alike = _ALIKE * columns.title_length(sampled(table.column(name))) >= usual
        if alike and name not in used and filled.any() and not (filled & taken).any():
            others, taken = [*others, name], taken | filled
    if not others or not taken.all():
        return None
    for name in others:
        cells[chosen] = cells[chosen].fillna(cells[name])
    note = f"Each headline was read from that of the columns that is filled: {listing([chosen, *others])}."
    return replace(table, cells=cells.fillna(""), notes=(*table.notes, note))


def _with_a_row_for_each(table: RawTable, blocks: Sequence[Block], named: str = "") -> RawTable:
    titles = [block[_titles(block)[0]] for block in blocks]
    others = [name for name in table.columns if all(name not in block.values() for block in blocks)]
    rows, lines = [], []
    records = table.cells.to_dict("records")
    for record, line in zip(records, table.lines.tolist(), strict=True):
        for title, block in zip(titles, blocks, strict=True):
            if record[title]:
                label = [title] if named else []
                rows.append([*(record[name] for name in (*others, *block.values())), *label])
                lines.append(line)
    names = unique_names([*others, *blocks[0], *([named] if named else [])])[0]
    what = f"as the headlines of one {named}" if named else "with its own headlines"
    note = f"Each of {len(titles):,} columns was read {what}: {listing(titles)}."
    return replace(
        table,
        cells=texts_frame(rows, names),
        lines=np.array(lines, dtype=np.int64),
        notes=(*table.notes, note),
        ledger={**table.ledger, "lines": table.ledger.get("lines", 0) + len(rows) - len(table)},
    )
