"""Rows of a table that name a section or give a sum, and are no headlines."""

import re
from typing import Final

from core.data.timelines import moments
from core.data.timelines.raw import RawTable, Texts
from core.files import read_tables
from core.text.normalise import searched
from core.text.stems import is_unspaced

_TABLES: Final = read_tables(__file__)
_SUMS: Final = frozenset(searched(_TABLES["sums"]).split())
_COUNTED: Final = frozenset(searched(_TABLES["counted"]).split())
_RULED: Final = re.compile(r"([-–—=*#_~+•·►▶■>|/\\]{2,}|[■►▶●◆#])\s*\S.*|\S.*?\s*([-–—=*_~]{3,})")
_MAY_BE_ONE: Final = re.compile(r"\S+(?:\s+\S+){0,4}|[^\w\s].{0,80}")  # few words, or a mark first
_RIGHTS: Final = re.compile(r"\W*(?:©|\(c\)\s|copyright\b|all rights reserved|alle rechte)", re.IGNORECASE)
_COUNT: Final = re.compile(r"\d{1,6}\s+[^\W\d_]+")
_NAMES_OF_PARTS: Final = ("name of the sheet", "name of the file")  # as of tables that were joined
_BETWEEN: Final = frozenset({"of", "i", "end"})  # "End of results: 6 documents", "I alt: 3"
_NUMBER: Final = re.compile(r"\d[\d.,]*")
_AMOUNT: Final = re.compile(r"\D{0,4}\d[\d.,\s]*\D{0,4}")  # R$ 254.870,50
_FEW_WORDS: Final = 3
_FEW_CELLS: Final = 2  # beside the headline and numbers, in a line of a sum
_LONGEST: Final = 28  # characters of a section's name that is not set off by lines
_LONGEST_UNSPACED: Final = 6  # the same in Chinese or Japanese
_LONE: Final = 0.5  # of the rows at most have nothing but a headline, where such a line stands between them
_LONE_UNMARKED: Final = 0.3


def section_lines(table: RawTable, headline: str, headlines: Texts) -> dict[int, str]:
    """Rows that are no headlines, with the reason; those of formats without lines have none."""
    others = [
        table.column(name)
        for name in table.columns
        if name != headline and not name.endswith(_NAMES_OF_PARTS)
    ]
    if table.header is None or not others:
        return {}
    possible = [
        row
        for row, text in enumerate(headlines)
        if text and (_MAY_BE_ONE.fullmatch(text) or _RIGHTS.match(text))
    ]
    sums = {row for row in possible if _is_sum(headlines[row] or "", [])}
    filled = [any(cells) for row, cells in enumerate(zip(*others, strict=True)) if row not in sums]
    lone = filled.count(False) / max(1, len(filled)) if possible else 0.0
    found: dict[int, str] = {}
    for row in possible:
        text = headlines[row] or ""
        cells = [cell for column in others if (cell := (column[row] or "").strip())]
        day = text[-1].isdigit() and moments.is_date(text)
        short = len(others) > 1 and lone <= _LONE_UNMARKED and _is_short(text)
        named = [cell for cell in cells if not _AMOUNT.fullmatch(cell)]
        alone = not cells and lone <= _LONE_UNMARKED
        counted = _COUNT.fullmatch(text) and (alone or any(map(_means_sum, named)))
        few = len(named) <= _FEW_CELLS
        if counted or (few and (_is_sum(text, named) or (cells and not named and _sums_up(text)))):
            found[row] = f"“{text}” gives a sum, not a headline."
        elif len(named) <= 1 and _RIGHTS.match(text):
            found[row] = f"“{text[:80]}” tells whose the table is, not a headline."
        elif not cells and (day or short or (lone <= _LONE and _RULED.fullmatch(text))):
            found[row] = f"“{text}” stands alone in its line and was taken for the name of a section."
    return found


def _is_short(text: str) -> bool:
    most = _LONGEST_UNSPACED if is_unspaced(text) else _LONGEST
    return len(text) <= most and len(text.split()) <= _FEW_WORDS


def _sums_up(text: str) -> bool:
    """ "Subtotal National", in a line of nothing but numbers."""
    return text.split(maxsplit=1)[0].casefold().rstrip(":") in _SUMS


def _means_sum(cell: str) -> bool:
    return len(cell) <= _LONGEST and searched(cell).strip(": ") in _SUMS


def _is_sum(text: str, cells: list[str]) -> bool:
    """ "35 Meldungen", "Gesamt: 12", or a word for a sum in another cell of a line of numbers and nouns."""
    words = [word for cell in (text, *cells) for word in re.findall(r"[^\W\d_]+|\d[\d.,]*", searched(cell))]
    plain = [word for word in words if not _NUMBER.fullmatch(word) and word not in _BETWEEN]
    if not plain or len(plain) > _FEW_WORDS:
        return False
    if not _SUMS.isdisjoint(plain):
        return all(word in _SUMS or word in _COUNTED for word in plain)
    counts = _NUMBER.match(text) or (words[0] == "end" and re.search(r"\d", text))
    return bool(counts) and _COUNTED.issuperset(plain)
