"""Files of one line an article: gold numbers, their types, and headlines."""

import io
from pathlib import Path

from core.data.articles.articles import Articles, articles_of
from core.data.timelines.decode import text_of
from core.data.timelines.tables import read_bytes
from core.errors import InputError
from core.text.normalise import clean_line

TYPES = {"0": "copy", "1": "reasoning"}  # what the lines of `number_type.txt` say


def read_lines(path: str | Path) -> list[str]:
    r"""The lines of a text file as Python's own `open` gives them, without their ends."""
    return [line.removesuffix("\n") for line in io.StringIO(text_of(read_bytes(path)), newline=None)]


def read_types(path: str | Path) -> list[str]:
    lines = [line.strip() for line in read_lines(path)]
    for at, line in enumerate(lines, 1):
        if line not in TYPES:
            message = f"Line {at:,} of {Path(path).name[:80]} is {line[:40]!r}, which is no type."
            hint = "Write 0 where the number stands in the article and 1 where it must be worked out."
            raise InputError(message, hint=hint)
    return [TYPES[line] for line in lines]


def same_lengths(lengths: dict[str, int]) -> None:
    (first, count), *others = lengths.items()
    for name, length in others:
        if length != count:
            raise InputError(
                f"{Path(name).name[:80]} has {length:,} lines, and {Path(first).name[:80]} has {count:,}.",
                hint="Give one line an article in every file, in the same order.",
            )


def articles_of_numbers(
    numbers: str | Path, *, types: str | Path | None = None, references: str | Path | None = None
) -> Articles:
    """Articles of which only the gold numbers are known, for scoring headlines written elsewhere."""
    gold = [clean_line(line) for line in read_lines(numbers)]
    if not gold:
        raise InputError(f"{Path(numbers).name[:80]} is empty.", hint="Give one gold number a line.")
    lengths = {str(numbers): len(gold)}
    operations = None if types is None else read_types(types)
    given = None if references is None else [clean_line(line) for line in read_lines(references)]
    for path, lines in ((types, operations), (references, given)):
        if lines is not None:
            lengths[str(path)] = len(lines)
    same_lengths(lengths)
    return articles_of(
        Path(numbers).name.partition(".")[0],
        [""] * len(gold),
        references=None if given is None else [(line,) if line else () for line in given],
        numbers=gold,
        operations=operations,
    )
