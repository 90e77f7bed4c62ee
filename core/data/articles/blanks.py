"""Headlines of NumHG and SemEval-2024 task 7 with a blank in place of a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.data import column_files
from core.data.articles import articles, numhg
from core.data.files import DataPlace
from core.data.timelines.tables import read_bytes, whole_table
from core.errors import UnknownNameError
from core.parts import Part

NUMEVAL: Final = DataPlace("SemEval-2024 task 7", "numeval2024/Dev_Numerical_Reasoning.json")
PREDICTIONS: Final = DataPlace(
    "published answers to SemEval-2024 task 7", "numeval2024/dev_reasoning_predictions.csv.gz"
)
NAMES: Final = ("numhg", "numeval")


@dataclass(frozen=True, slots=True, eq=False)
class Blanks(articles.NamedRows):
    """n headlines with a blank; every attribute that is not the name has n entries, in the file's order."""

    name: str  # "numhg" or "numeval"
    ids: tuple[str, ...]  # the row's number in the file, from 0; as in the article set for NumHG
    texts: tuple[str, ...]  # the articles, as in the file
    headlines: tuple[str, ...]  # headlines with `____` where the number was
    answers: tuple[str, ...]  # the number that was there, as written: "7", "1.5", "9/11"
    annotations: tuple[str, ...]  # its expression, as in the file; see `core.numerals.expressions.expression`
    parts: tuple[Part, ...]  # part of each article
    operations: tuple[str, ...]  # "copy" of a number of the article, or "reasoning"


@dataclass(frozen=True, slots=True, eq=False)
class FillPredictions:
    """What a published system put into the blanks of "numeval", row by row."""

    answers: tuple[str, ...]
    annotations: tuple[str, ...]


def load_blanks(name: str) -> Blanks:
    if name == "numhg":
        return numhg_blanks(numhg.NumHG.place.require())
    if name == "numeval":
        return numeval_blanks(NUMEVAL.require())
    message = f"There is no set of headlines with a blank that is called {name!r}."
    raise UnknownNameError(message, hint=f"Choose one of {', '.join(NAMES)}.")


def numhg_blanks(path: Path) -> Blanks:
    """Rows of a file with NumHG's columns, CSV or gz of it."""
    *columns, flags = _columns(path, "text", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning")
    return _blanks("numhg", columns, [flag != "1" for flag in flags], tuple(map(numhg.part_of, columns[0])))


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
        operations=tuple("copy" if is_copy else "reasoning" for is_copy in copied),
    )


def load_fill_predictions() -> FillPredictions:
    return FillPredictions(*_columns(PREDICTIONS.require(), "pred_ans", "pred_calc"))


def _columns(path: Path, *names: str) -> list[tuple[str, ...]]:
    table = whole_table(read_bytes(path), path.name)
    cells = {name: [value or "" for value in table.column(name)] for name in table.columns}
    return [tuple(column_files.column(cells, name, path)) for name in names]
