"""Everything bad that is given to Headline Lab: files by kind, and strings. Built in code."""

from tests.hostile.corpus import (
    encodings,
    feeds,
    formats,
    formulas,
    html,
    huge,
    jsons,
    parquets,
    scripts,
    shapes,
    tables,
    timelines,
    truncated,
    workbooks,
)
from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import ACTIVE, FORMULAS, HEADLINES, MARKUP, SCRIPTS, table
from tests.hostile.corpus.timelines import LOADED, REFUSED

__all__ = [
    "ACTIVE", "BY_KIND", "FILES", "FORMULAS", "HEADLINES", "LOADED", "MARKUP", "REFUSED", "SCRIPTS", "SHAPES",
    "STRINGS", "File", "table",
]  # fmt: skip

BY_KIND = {
    "formats": formats.FILES,
    "tables": tables.FILES,
    "workbooks": workbooks.FILES,
    "parquet": parquets.FILES,
    "json": jsons.FILES,
    "encodings": encodings.FILES,
    "scripts": scripts.FILES,
    "formulas": formulas.FILES,
    "html": html.FILES,
    "feeds": feeds.FILES,
    "huge": huge.FILES,
    "truncated": truncated.FILES,
    "timelines": {**timelines.REFUSED, **timelines.LOADED},
}
FILES = {f"{kind}: {name}": file for kind, files in BY_KIND.items() for name, file in files.items()}
STRINGS = {
    f"{kind}: {name}": text
    for kind, strings in (("script", scripts.STRINGS), ("formula", formulas.STRINGS), ("html", html.STRINGS))
    for name, text in strings.items()
}

SHAPES = shapes.FILES
"""Files that are no timelines: what is said of them depends on where they are given."""
