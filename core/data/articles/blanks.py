"""Headlines with a number left out: NumHG's rows and the questions of SemEval-2024 task 7."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.data.articles.articles import NamedRows
from core.data.articles.load import whole_table
from core.data.articles.numhg import NumHG, part_of
from core.data.files import DataPlace
from core.data.timelines.load import read_bytes
from core.errors import InputError, UnknownNameError
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
    """What a published system put into the blanks of "numeval", row by row.

    Attributes:
        answers: Its numbers as written; 2,320 of 2,572 are the gold number, character for character.
        annotations: The expressions it gave for them.
    """

    answers: tuple[str, ...]
    annotations: tuple[str, ...]


def load_blanks(name: str) -> Blanks:
    """Reads a set of headlines with a blank."""
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
    columns = _columns(path, "text", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning")
    return Blanks(
        name="numhg",
        ids=tuple(map(str, range(len(columns["text"])))),
        texts=columns["text"],
        headlines=columns["cloze"],
        answers=columns["cloze_gt"],
        annotations=columns["cloze_annotation"],
        parts=tuple(map(part_of, columns["text"])),
        operations=tuple("reasoning" if flag == "1" else "copy" for flag in columns["need_reasoning"]),
    )


def numeval_blanks(path: Path) -> Blanks:
    """Rows of a JSON file with the fields of SemEval-2024 task 7, subtask numerical reasoning.

    Its answers are texts but for six numbers, which Python writes as a journalist would.
    """
    columns = _columns(path, "news", "masked headline", "calculation", "ans")
    return Blanks(
        name="numeval",
        ids=tuple(map(str, range(len(columns["news"])))),
        texts=columns["news"],
        headlines=columns["masked headline"],
        answers=columns["ans"],
        annotations=columns["calculation"],
        parts=(Part.TEST,) * len(columns["news"]),
        operations=tuple(
            "copy" if text.lstrip().startswith("Copy") else "reasoning" for text in columns["calculation"]
        ),
    )


def load_fill_predictions() -> FillPredictions:
    """The published answers of one system to all rows of "numeval".

    2,320 of its 2,572 answers are the gold number: 0.9020, where its authors state 0.9022.
    """
    columns = _columns(PREDICTIONS.require(), "pred_ans", "pred_calc")
    return FillPredictions(answers=columns["pred_ans"], annotations=columns["pred_calc"])


def _columns(path: Path, *names: str) -> dict[str, tuple[str, ...]]:
    table = whole_table(read_bytes(path), path.name).cells
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise InputError(
            f"{path.name} has no column {missing[0]!r}.", hint=f"It needs the columns {', '.join(names)}."
        )
    return {name: tuple(value or "" for value in table[name]) for name in names}
