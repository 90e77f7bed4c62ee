"""Articles in the order of their file, and the list of all sources of them."""

from __future__ import annotations

import io
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from core.data.files import DataSource
from core.data.timelines.decode import text_of
from core.data.timelines.load import read_bytes
from core.digests import digest
from core.errors import InputError
from core.parts import Part
from core.registry import Registry
from core.text.normalise import clean_line

READ_CHARACTERS: Final = 30_000
"""An article's beginning that systems read; a news article has about 3,000."""


class NamedRows:
    """Base of frozen dataclasses with a name and n entries in every other attribute."""

    __slots__ = ()
    _lead: ClassVar[str] = ""
    name: str

    @classmethod
    def columns(cls) -> list[str]:
        """Names of the attributes that have an entry for each row."""
        return [one.name for one in fields(cls) if one.name not in ("name", "ledger")]  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(getattr(self, self.columns()[0]))

    @property
    def fingerprint(self) -> str:
        """16 hex digits over everything that results depend on."""
        rows = zip(*(getattr(self, column) for column in self.columns()), strict=True)
        return digest(self._lead + "\x1f".join(map(repr, rows)), digits=16)

    def part(self, *wanted: Part) -> Self:
        parts: Sequence[Part] = self.parts  # type: ignore[attr-defined]
        return self.at([row for row, part in enumerate(parts) if part in wanted])

    def at(self, rows: Sequence[int]) -> Self:
        """The given rows, in the order of `rows`."""
        kept: dict[str, Any] = {
            column: tuple(getattr(self, column)[row] for row in rows) for column in self.columns()
        }
        return replace(self, **kept)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class Articles(NamedRows):
    """n articles; every attribute that is not the name has n entries, in the order of the source.

    Attributes:
        name: Short name ("numhg", a file's name, …).
        ids: What the source calls each article, all different; its number from 0 where it has no ids.
        texts: What is read to write a headline: plain text, whole.
        references: Headlines that people gave the article, best first; () where none is known.
        parts: Part of each article.
        clusters: Articles of one event have the same word here; "" for an article alone.
        numbers: The number in the reference headline that NumHG asks for, as written; "" where unknown.
        operations: "copy" where that number stands in the article, "reasoning" where it must be worked
            out, "" where unknown.
        ledger: Of the lines of the file that they stand in, as of a timeline's `LoadReport`; {} without one.
    """

    name: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    parts: tuple[Part, ...]
    clusters: tuple[str, ...]
    numbers: tuple[str, ...]
    operations: tuple[str, ...]
    ledger: Mapping[str, int] = field(default_factory=dict)

    _lead: ClassVar[str] = "\x1f"


def articles_of(
    name: str,
    texts: Sequence[str],
    *,
    ids: Sequence[str] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    parts: Sequence[Part] | Part = Part.TEST,
    clusters: Sequence[str] | None = None,
    numbers: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    ledger: Mapping[str, int] | None = None,
) -> Articles:
    """Articles with what is not given left unknown; the lengths must agree."""
    n = len(texts)
    given = Articles(
        name=name,
        ids=tuple(map(str, range(n) if ids is None else ids)),
        texts=tuple(texts),
        references=tuple(map(tuple, [()] * n if references is None else references)),
        parts=(parts,) * n if isinstance(parts, Part) else tuple(parts),
        clusters=tuple([""] * n if clusters is None else clusters),
        numbers=tuple([""] * n if numbers is None else numbers),
        operations=tuple([""] * n if operations is None else operations),
        ledger=ledger or {},
    )
    if any(len(getattr(given, column)) != n for column in Articles.columns()):
        raise ValueError(f"columns of {name} differ in length")
    return given


class ArticleSource(DataSource):
    __slots__ = ()

    @abstractmethod
    def load(self) -> Articles:
        """See `DataSource`."""


article_sources: Registry[ArticleSource] = Registry("article set", "core.data.articles")


TYPES = {"0": "copy", "1": "reasoning"}
"""What the lines of `number_type.txt` say."""


def read_lines(path: str | Path) -> list[str]:
    r"""The lines of a text file as Python's own `open` gives them, without their ends."""
    return [line.removesuffix("\n") for line in io.StringIO(text_of(read_bytes(path)), newline=None)]


def read_types(path: str | Path) -> list[str]:
    """The operation of each line of a file of types: "copy" for 0, "reasoning" for 1."""
    lines = [line.strip() for line in read_lines(path)]
    for number, line in enumerate(lines, 1):
        if line not in TYPES:
            raise InputError(
                f"Line {number:,} of {Path(path).name[:80]} is {line[:40]!r}, which is no type.",
                hint="Write 0 where the number stands in the article and 1 where it must be worked out.",
            )
    return [TYPES[line] for line in lines]


def same_lengths(lengths: dict[str, int]) -> None:
    (first, count), *others = lengths.items()
    for name, found in others:
        if found != count:
            raise InputError(
                f"{Path(name).name[:80]} has {found:,} lines, and {Path(first).name[:80]} has {count:,}.",
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
