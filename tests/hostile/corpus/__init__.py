"""Everything bad that is given to Headline Lab: files by kind, and strings. Built in code."""

from tests.hostile.corpus import binary_files, other_files, strings, text_files
from tests.hostile.corpus.file import ACTIVE, FORMULAS, HEADLINES, MARKUP, SCRIPTS, File, table
from tests.hostile.corpus.timelines import LOADED, REFUSED, SHAPES

__all__ = [
    "ACTIVE", "BY_KIND", "FILES", "FORMULAS", "HEADLINES", "LOADED", "MARKUP", "REFUSED", "SCRIPTS", "SHAPES",
    "STRINGS", "File", "table",
]  # fmt: skip

BY_KIND = {
    "formats": other_files.FORMATS, "tables": text_files.TABLES, "workbooks": binary_files.WORKBOOKS,
    "parquet": binary_files.PARQUET, "json": text_files.JSON, "encodings": text_files.ENCODINGS,
    "scripts": strings.SCRIPT_FILES, "formulas": strings.FORMULA_FILES, "html": strings.HTML_FILES,
    "feeds": text_files.FEEDS, "huge": other_files.HUGE, "truncated": other_files.TRUNCATED,
    "timelines": {**REFUSED, **LOADED},
}  # fmt: skip
FILES = {f"{kind}: {name}": file for kind, files in BY_KIND.items() for name, file in files.items()}
STRINGS = {
    f"{kind}: {name}": text
    for kind, texts in (("script", strings.SCRIPT), ("formula", strings.FORMULA), ("html", strings.HTML))
    for name, text in texts.items()
}
