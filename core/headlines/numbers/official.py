"""NumHG's numeral accuracy of files, as its official script prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.data.articles.number_files import read_lines, read_types, same_lengths
from core.data.articles.outputs import holds_lines
from core.headlines.metrics.numerals import is_right


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialAccuracy:
    """How many headlines have the gold number as their only number."""

    headlines: int
    right: int
    copies: int
    right_copies: int
    reasonings: int
    right_reasonings: int

    @property
    def overall(self) -> float | None:
        """Share that is right, 0–1; None where there is no headline."""
        return self.right / self.headlines if self.headlines else None

    @property
    def copy(self) -> float | None:
        """Share of the copies that is right, 0–1; None where there is none."""
        return self.right_copies / self.copies if self.copies else None

    @property
    def reasoning(self) -> float | None:
        """Share of those to be worked out that is right, 0–1; None where there is none."""
        return self.right_reasonings / self.reasonings if self.reasonings else None

    @property
    def printed(self) -> str:
        """The script's line, sign for sign; a dash where it has no value."""
        named = (("All", self.overall), ("Copy", self.copy), ("Cal", self.reasoning))
        return ", ".join(f"{name} Accuracy: {_shown(value)}" for name, value in named)


def official_accuracy(
    headlines: Sequence[str], numbers: Sequence[str], operations: Sequence[str]
) -> OfficialAccuracy:
    """Counts as the script does; 27,746 headlines take about 0.1 s.

    An empty headline is wrong, and so is every headline whose gold number is empty.

    Source: Huang et al. 2023, NumHG, `numhg_eval.py`.
    """
    right = [is_right(*pair) for pair in zip(headlines, numbers, strict=True)]
    copied = [one for one, operation in zip(right, operations, strict=True) if operation == "copy"]
    return OfficialAccuracy(
        headlines=len(right),
        right=sum(right),
        copies=len(copied),
        right_copies=sum(copied),
        reasonings=len(right) - len(copied),
        right_reasonings=sum(right) - sum(copied),
    )


def official_accuracy_of_files(
    predictions: str | Path, numbers: str | Path, types: str | Path
) -> OfficialAccuracy:
    """The accuracy of a file of predictions, one a line.

    The script stops without a word at the end of the shortest file; here files of different lengths are
    refused.

    Args:
        predictions: The headlines, nothing in them cleaned.
        numbers: Gold numbers, as `number_gt.txt`.
        types: 0 (copy) or 1 (reasoning), as `number_type.txt`.

    Raises:
        DataSourceError: A file is missing, a folder, or may not be read.
        InputError: A file is no text, they differ in length, or a type is neither 0 nor 1.
    """
    headlines, gold, operations = read_lines(predictions), read_lines(numbers), read_types(types)
    same_lengths({str(predictions): len(headlines), str(numbers): len(gold), str(types): len(operations)})
    return official_accuracy(headlines, gold, operations)


def official_lines(files: Sequence[str], numbers: str | Path, types: str | Path) -> list[str]:
    """What the script prints of each file that has one headline a line; tables are passed over.

    Raises:
        CoreError: As `official_accuracy_of_files`.
    """
    return [
        f"{file}, as NumHG's script: {official_accuracy_of_files(file, numbers, types).printed}"
        for file in files
        if holds_lines(file)
    ]


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.6f}"
