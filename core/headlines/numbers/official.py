"""NumHG's numeral accuracy of files, as its official script prints it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.data.articles.articles import read_lines, read_types, same_lengths
from core.data.articles.outputs import holds_lines
from core.headlines.metrics.numerals import is_right


def official_accuracy(
    headlines: Sequence[str], numbers: Sequence[str], operations: Sequence[str]
) -> dict[str, float | None]:
    """The shares of headlines with the gold number as their only number, 0–1, as the script counts them.

    An empty headline is wrong, and so is every headline whose gold number is empty. 27,746 headlines take
    about 0.1 s.

    Returns:
        "All", "Copy" for those whose number stands in the article, and "Cal" for those whose number must be
        worked out; None where there is no headline of the kind.

    Source: Huang et al. 2023, NumHG, `numhg_eval.py`.
    """
    right = [is_right(*pair) for pair in zip(headlines, numbers, strict=True)]
    copied = [operation == "copy" for operation in operations]
    kinds = {
        "All": right,
        "Copy": [one for one, copy in zip(right, copied, strict=True) if copy],
        "Cal": [one for one, copy in zip(right, copied, strict=True) if not copy],
    }
    return {name: sum(some) / len(some) if some else None for name, some in kinds.items()}


def printed(accuracy: dict[str, float | None]) -> str:
    """The script's line, sign for sign; a dash where it has no value."""
    shown = {name: "–" if value is None else f"{value:.6f}" for name, value in accuracy.items()}
    return ", ".join(f"{name} Accuracy: {value}" for name, value in shown.items())


def official_accuracy_of_files(
    predictions: str | Path, numbers: str | Path, types: str | Path
) -> dict[str, float | None]:
    """The accuracy of a file of predictions, one a line.

    The script stops without a word at the end of the shortest file; here files of different lengths are
    refused.
    """
    headlines, gold, operations = read_lines(predictions), read_lines(numbers), read_types(types)
    same_lengths({str(predictions): len(headlines), str(numbers): len(gold), str(types): len(operations)})
    return official_accuracy(headlines, gold, operations)


def official_lines(files: Sequence[str], numbers: str | Path, types: str | Path) -> list[str]:
    """What the script prints of each file that has one headline a line; tables are passed over."""
    return [
        f"{file}, as NumHG's script: {printed(official_accuracy_of_files(file, numbers, types))}"
        for file in files
        if holds_lines(file)
    ]
