"""Cells that programs wrote as formulas or as Python's bytes, as the texts that they show."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import Final

from core.data.timelines.raw import RawTable, Texts, texts_frame

_TEXT: Final = re.compile(r'=\s*"((?:[^"]|"")*)"\s*')
_LINK: Final = re.compile(  # HYPERLINK in any language of Excel
    r'=\s*(?:H[YI]PER|Г[ИІ]ПЕР|ΥΠΕΡ|LIEN|COLLEG|KÖPRÜ)[\w.]*\(\s*"(?P<url>https?://(?:[^"]|"")+)"\s*'
    r'(?:[;,]\s*"(?P<text>(?:[^"]|"")+)"\s*)?\)\s*',
    re.IGNORECASE,
)
_BYTES: Final = re.compile(r"""b(['"])(.+)\1""", re.DOTALL)
_SOME: Final = 0.1  # of the cells of a column that Python wrote; others may have none of its marks


def shown_text(cell: str) -> str:
    """The text of a cell that keeps a spreadsheet from changing it: `="007"`."""
    text = _TEXT.fullmatch(cell) if cell.startswith("=") else None
    return text[1].replace('""', '"') if text else cell


def with_shown_texts(table: RawTable) -> RawTable:
    """The table with the words of links, which get a column of their own, and of Python's bytes."""
    cells: dict[str, Texts] = {}
    for name in map(str, table.cells.columns):
        texts = table.column(name)
        links = [_LINK.fullmatch(text) if text and text.startswith("=") else None for text in texts]
        if any(links):
            said = [link and (link["text"] or link["url"]).replace('""', '"') for link in links]
            cells[name] = [words or text for words, text in zip(said, texts, strict=True)]
            if any(link and link["text"] for link in links):
                cells[f"address in {name}"] = [link and link["url"] for link in links]
        elif sum(bool(text and _BYTES.fullmatch(text)) for text in texts) > _SOME * sum(map(bool, texts)):
            cells[name] = [text and _decoded(text) for text in texts]
    if not cells:
        return table
    every = {str(name): list(table.cells[name]) for name in table.cells.columns} | cells
    return replace(table, cells=texts_frame([*zip(*every.values(), strict=True)], list(every)))


def _decoded(text: str) -> str:
    if written := _BYTES.fullmatch(text):
        with suppress(UnicodeError):
            return written[2].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
    return text
