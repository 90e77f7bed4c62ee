"""Headlines with a number left out: NumHG's rows and the questions of SemEval-2024 task 7."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from core.data.articles.numhg import FILE as NUMHG_FILE
from core.data.articles.numhg import part_of
from core.errors import DataSourceError, InputError, UnknownNameError
from core.parts import Part
from core.runtime import data_folder

NUMEVAL_FILE: Final = Path("numeval2024") / "Dev_Numerical_Reasoning.json"
PREDICTIONS_FILE: Final = Path("numeval2024") / "dev_reasoning_predictions.csv.gz"
NAMES: Final = ("numhg", "numeval")

_NUMHG_COLUMNS: Final = ("text", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning")
_NUMEVAL_KEYS: Final = ("news", "masked headline", "calculation", "ans")


@dataclass(frozen=True, slots=True, eq=False)
class Blanks:
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

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over everything that results depend on."""
        rows = zip(*(getattr(self, column) for column in _COLUMNS), strict=True)
        return hashlib.sha256("\x1f".join(map(repr, rows)).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def part(self, *wanted: Part) -> Blanks:
        """The rows of some parts alone, in the same order."""
        return self.at([row for row, part in enumerate(self.parts) if part in wanted])

    def at(self, rows: Sequence[int]) -> Blanks:
        """The given rows, in the order of `rows`."""
        kept: dict[str, Any] = {
            column: tuple(getattr(self, column)[row] for row in rows) for column in _COLUMNS
        }
        return replace(self, **kept)


_COLUMNS = tuple(field.name for field in fields(Blanks) if field.name != "name")


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
    """Reads a set of headlines with a blank.

    Args:
        name: "numhg", 9,295 rows divided as `core.data.articles.numhg.part_of` says; or "numeval", 2,572
            rows, all test.

    Raises:
        UnknownNameError: There is no set of that name.
        DataSourceError: Its file is not on this machine; the hint says where it belongs.
        InputError: The file lacks a column.
    """
    if name == "numhg":
        return numhg_blanks(_file(NUMHG_FILE, "NumHG rows"))
    if name == "numeval":
        return numeval_blanks(_file(NUMEVAL_FILE, "questions of SemEval-2024 task 7"))
    raise UnknownNameError(
        f"There is no set of headlines with a blank that is called {name!r}.",
        hint=f"Choose one of {', '.join(NAMES)}.",
    )


def numhg_blanks(path: Path) -> Blanks:
    """Rows of a file with NumHG's columns, CSV or gz of it.

    Raises:
        InputError: It lacks a column.
    """
    columns = _columns(path, _NUMHG_COLUMNS)
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

    Raises:
        InputError: It is not a JSON list of such rows.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        news, headlines, calculations, answers = (
            tuple(str(row[key]) for row in rows) for key in _NUMEVAL_KEYS
        )
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{path.name} is not a list of rows with {', '.join(_NUMEVAL_KEYS)}.",
            hint="Use the development file of SemEval-2024 task 7 as it was published.",
        ) from error
    return Blanks(
        name="numeval",
        ids=tuple(map(str, range(len(news)))),
        texts=news,
        headlines=headlines,
        answers=answers,
        annotations=calculations,
        parts=(Part.TEST,) * len(news),
        operations=tuple(
            "copy" if text.lstrip().startswith("Copy") else "reasoning" for text in calculations
        ),
    )


def load_fill_predictions() -> FillPredictions:
    """The published answers of one system to all rows of "numeval".

    2,320 of its 2,572 answers are the gold number: 0.9020, where its authors state 0.9022.

    Raises:
        DataSourceError: The file is not on this machine.
        InputError: It lacks a column.
    """
    columns = _columns(
        _file(PREDICTIONS_FILE, "published answers to SemEval-2024 task 7"), ("pred_ans", "pred_calc")
    )
    return FillPredictions(answers=columns["pred_ans"], annotations=columns["pred_calc"])


def _file(place: Path, what: str) -> Path:
    path = data_folder() / place
    if not path.is_file():
        raise DataSourceError(f"The {what} are not on this machine.", hint=f"Put them at {path}.")
    return path


def _columns(path: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    import pandas as pd

    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise InputError(
            f"{path.name} has no column {missing[0]!r}.", hint=f"It needs the columns {', '.join(names)}."
        )
    return {name: tuple(table[name].tolist()) for name in names}
