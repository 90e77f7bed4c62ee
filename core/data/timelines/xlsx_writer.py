"""A workbook written the same way each time."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from core.errors import InputError

LONGEST_CELL = 32_767  # characters; the format's own limit
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def xlsx_bytes(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """A workbook of some sheets, the same bytes each time."""
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    numbered = enumerate(map(escape, sheets), 1)
    named = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>' for i, name in numbered)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f"<sheets>{named}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)]
        ),
    }
    for i, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{i}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in parts.items():
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (_HEAD + text).encode(), compresslevel=6)
    return buffer.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{items}</Relationships>'


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value!r}</v></c>"
    text = _NOT_XML.sub(lambda found: " " if found[0].isspace() else "", str(value))
    if len(text) > LONGEST_CELL:
        message = f"A cell has {len(text):,} characters; XLSX holds at most {LONGEST_CELL:,}."
        raise InputError(message, hint="Export as CSV, JSON or Parquet.")
    # A bare carriage return would be read back as a line feed.
    text = escape(text, quote=False).replace("\r", "&#13;")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
