"""Whether a headline has the gold number, as NumHG's official script counts."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from core.data.articles.number_files import read_lines, read_types, same_lengths
from core.data.articles.outputs import holds_lines
from core.headlines.metrics import Column, HeadlineMetric, Scored, headline_metrics
from core.headlines.metrics.columns import columns_of

NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+[\/\.]{0,1}\d+|\d+")
"""The expression of NumHG's official script, sign for sign."""


@headline_metrics.register("numeral_accuracy.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralAccuracy(HeadlineMetric):
    """Share of headlines whose only number is the one that was asked for, as NumHG's script counts.

    Right is a headline in which the expression finds exactly one number and that number is the gold one,
    sign for sign: "1,200" is not "1200", and a headline with a second number is wrong, whatever it says.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation", official script.
    """

    summary: ClassVar[str] = "Whether the one number in the headline is the right one (NumHG)"
    needs: ClassVar = "numbers"
    rank: ClassVar[int] = 7
    note: ClassVar[str] = "NumHG official script: exactly one number, equal to the gold one sign for sign"
    columns: ClassVar[tuple[Column, ...]] = columns_of("numeral_accuracy")

    def score(self, scored: Scored) -> Sequence[float]:
        right = float(is_right(scored.headline, scored.number))
        return (right, *(right if scored.operation == kind else math.nan for kind in ("copy", "reasoning")))


def is_right(headline: str, gold: str) -> bool:
    return NUMBER.findall(headline) == [gold.strip()]


def official_accuracy(
    headlines: Sequence[str], numbers: Sequence[str], operations: Sequence[str]
) -> dict[str, float | None]:
    """The shares of headlines with the gold number as their only one, 0–1; None where there is none.

    Source: Huang et al. 2023, NumHG, `numhg_eval.py`.
    """
    kinds: dict[str, list[bool]] = {"All": [], "Copy": [], "Cal": []}
    for headline, number, operation in zip(headlines, numbers, operations, strict=True):
        for kind in ("All", "Copy" if operation == "copy" else "Cal"):
            kinds[kind].append(is_right(headline, number))
    return {name: sum(right) / len(right) if right else None for name, right in kinds.items()}


def printed(accuracy: dict[str, float | None]) -> str:
    """The script's line, sign for sign; a dash where it has no value."""
    shown = {name: "–" if value is None else f"{value:.6f}" for name, value in accuracy.items()}
    return ", ".join(f"{name} Accuracy: {value}" for name, value in shown.items())


def official_accuracy_of_files(
    predictions: str | Path, numbers: str | Path, types: str | Path
) -> dict[str, float | None]:
    """The accuracy of a file of predictions, one a line; files of other lengths are refused."""
    headlines, gold, operations = read_lines(predictions), read_lines(numbers), read_types(types)
    same_lengths({str(predictions): len(headlines), str(numbers): len(gold), str(types): len(operations)})
    return official_accuracy(headlines, gold, operations)


def official_lines(files: Sequence[str], numbers: str | Path, types: str | Path) -> list[str]:
    """What the script prints of each file that has one headline a line; tables are passed over."""
    shares = ((file, official_accuracy_of_files(file, numbers, types)) for file in files if holds_lines(file))
    return [f"{file}, as NumHG's script: {printed(accuracy)}" for file, accuracy in shares]
