"""Headlines with a number left out: NumHG's rows and the questions of SemEval-2024 task 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.data.articles.articles import NamedRows
from core.data.articles.load import whole_table
from core.data.articles.numhg import NumHG, part_of
from core.data.files import DataPlace, column
from core.data.timelines.load import read_bytes
from core.errors import UnknownNameError
from core.parts import Part

NUMEVAL: Final = DataPlace("SemEval-2024 task 7", "numeval2024/Dev_Numerical_Reasoning.json")
PREDICTIONS: Final = DataPlace(
    "published answers to SemEval-2024 task 7", "numeval2024/dev_reasoning_predictions.csv.gz"
)
NAMES: Final = ("numhg", "numeval")


@dataclass(frozen=True, slots=True, eq=False)
class Blanks(NamedRows):
    """n headlines with a blank; every attribute that is not the name has n entries, in the file's order.

    Attributes:
        name: "numhg" or "numeval".
        ids: The row's number in the file, from 0; the same as in the article set of that name for NumHG.
        texts: The articles, as in the file.
        headlines: Headlines with `____` where the number was.
        answers: The number that was there, as written: "7", "1.5", "9/11".
        annotations: Its expression, as in the file; see `core.numerals.expressions.parse`.
        parts: Part of each article.
        operations: "copy" where the number is copied from the article, "reasoning" where it is worked out.
    """

    name: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    headlines: tuple[str, ...]
    answers: tuple[str, ...]
    annotations: tuple[str, ...]
    parts: tuple[Part, ...]
    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FillPredictions:
    """What a published system put into the blanks of "numeval", row by row."""

    answers: tuple[str, ...]
    annotations: tuple[str, ...]


def load_blanks(name: str) -> Blanks:
    if name == "numhg":
        return numhg_blanks(NumHG.place.require())
    if name == "numeval":
        return numeval_blanks(NUMEVAL.require())
    raise UnknownNameError(
        f"There is no set of headlines with a blank that is called {name!r}.",
        hint=f"Choose one of {', '.join(NAMES)}.",
    )


def numhg_blanks(path: Path) -> Blanks:
    """Rows of a file with NumHG's columns, CSV or gz of it."""
    *columns, flags = _columns(path, "text", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning")
    return _blanks("numhg", columns, [flag != "1" for flag in flags], tuple(map(part_of, columns[0])))


def numeval_blanks(path: Path) -> Blanks:
    """Rows of a JSON file with the fields of SemEval-2024 task 7, subtask numerical reasoning."""
    columns = _columns(path, "news", "masked headline", "ans", "calculation")
    copied = [text.lstrip().startswith("Copy") for text in columns[-1]]
    return _blanks("numeval", columns, copied, (Part.TEST,) * len(copied))


def _blanks(
    name: str, columns: Sequence[tuple[str, ...]], copied: Sequence[bool], parts: tuple[Part, ...]
) -> Blanks:
    texts, headlines, answers, annotations = columns
    return Blanks(
        name=name,
        ids=tuple(map(str, range(len(texts)))),
        texts=texts,
        headlines=headlines,
        answers=answers,
        annotations=annotations,
        parts=parts,
        operations=tuple("copy" if one else "reasoning" for one in copied),
    )


def load_fill_predictions() -> FillPredictions:
    """The published answers of one system to all rows of "numeval"."""
    return FillPredictions(*_columns(PREDICTIONS.require(), "pred_ans", "pred_calc"))


def _columns(path: Path, *names: str) -> list[tuple[str, ...]]:
    table = whole_table(read_bytes(path), path.name)
    cells = {name: [value or "" for value in table.column(name)] for name in table.columns}
    return [tuple(column(cells, name, path)) for name in names]
