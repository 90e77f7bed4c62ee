"""Which vector of somebody's file is of which headline."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.data.timelines.timeline import Field, Timeline
from core.data.vector_files import read_vectors
from core.errors import InputError
from core.models.encoders.encoder import AUTOMATIC
from core.models.own_vectors import own_encoder
from core.results.render import count_words
from core.text.normalise import clean_line

ID: Final = "id"
_SAME: Final = 0.9999  # cosine of vectors that differ by rounding alone


def encoder_of_file(
    path: str | None, otherwise: str, texts: Sequence[str], timeline: Timeline | None = None, *,
    data: bytes | None = None,
) -> tuple[str, list[str]]:  # fmt: skip
    """The encoder that a file of vectors makes for texts, of a timeline or not, and notes; else the other."""
    if path is None:
        return otherwise, []
    if otherwise != AUTOMATIC:
        raise InputError("A file of vectors stands in place of an encoder.", hint="Name only one of them.")
    file = read_vectors(path, data)
    rows, notes = _rows(file.keys, len(file.vectors), texts, timeline)
    held: dict[str, Float32Array] = {}
    vectors = zip(texts, file.unit(rows), strict=True)
    several = {text for text, vector in vectors if held.setdefault(text, vector) @ vector < _SAME}
    if several:
        what = count_words(len(several), "headline has", "headlines have")
        notes.append(f"{what} several different vectors; the first counts, since a text has one.")
    return own_encoder(held, file.digest, file.vectors.shape[1]), notes


def _rows(
    keys: dict[str, list[str]], given: int, texts: Sequence[str], timeline: Timeline | None
) -> tuple[IntArray, list[str]]:
    """The row of each text in the file: by id, by headline or, in a timeline, by its row there; and notes."""
    if timeline is not None:
        original = timeline.original
        column = timeline.report.columns.get(Field.HEADLINE, ("",))[0]
        if ID in keys and ID in original.columns:
            return _found(zip(original[ID]), keys[ID], ID), []
        if column in keys and column in original.columns:
            # As it stands in the file, or as it was read: without an outlet at its end.
            return _found(zip(original[column], texts, strict=True), keys[column], column), []
    if Field.HEADLINE in keys:
        return _found(zip(texts), keys[Field.HEADLINE], Field.HEADLINE), []
    if timeline is not None:
        return _by_row(timeline, given)
    message = "Nothing in the file of vectors says which headline each is of."
    raise InputError(message, hint="Give Parquet with the columns headline and vector.")


def _found(wanted: Iterable[tuple[Any, ...]], there: Sequence[str], column: str) -> IntArray:
    row_of = {clean_line(key): row for row, key in reversed(list(enumerate(there)))}
    if column == ID and len(row_of) < len(there):
        message = "Ids stand in the file of vectors more than once."
        raise InputError(message, hint="Give each row an id of its own, or leave the column out.")
    rows = list[int]()
    for names in wanted:
        row = next((row_of[name] for name in map(clean_line, map(str, names)) if name in row_of), None)
        if row is None:
            message = f"The file of vectors has none for the {column} {str(names[0])[:100]!r}."
            raise InputError(message, hint="Give a vector for every headline, or take this one out.")
        rows.append(row)
    return np.array(rows, dtype=np.int64)


def _by_row(timeline: Timeline, given: int) -> tuple[IntArray, list[str]]:
    read, rejected = len(timeline), [row.line for row in timeline.report.rejected]
    if given == read:
        return np.arange(read), []
    lines = np.zeros(0, dtype=np.int64) if timeline.lines is None else timeline.lines
    every = np.unique([*lines.tolist(), *rejected])
    if given == len(every) == read + len(rejected) and (np.diff(lines) > 0).all():
        left = count_words(len(rejected), "vector, of a rejected row, was", "vectors, of rejected rows, were")
        return np.searchsorted(every, lines), [f"{left} left out."]
    message = (
        f"The file has {given:,} vectors; {read:,} headlines were read, {len(rejected):,} rows rejected."
    )
    hint = (
        "Give one vector a headline, or one a row of the file, or Parquet with a column `id` or `headline`."
    )
    raise InputError(message, hint=hint)
