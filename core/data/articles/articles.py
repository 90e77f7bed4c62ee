"""Articles, and the base of all sources of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

from core.data.files import DataSource
from core.digests import digest
from core.parts import Part
from core.registry import Registry

article_sources: "Registry[ArticleSource]" = Registry("article set", "core.data.articles")


class NamedRows:
    """Base of frozen dataclasses with a name and n entries in every other attribute."""

    __slots__ = ()
    _lead: ClassVar[str] = ""
    name: str

    @classmethod
    def columns(cls) -> list[str]:
        """Names of the attributes that have an entry for each row."""
        return [field_.name for field_ in fields(cls) if field_.name not in ("name", "ledger")]  # type: ignore[arg-type]

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
        columns: dict[str, Any] = {
            column: tuple(getattr(self, column)[row] for row in rows) for column in self.columns()
        }
        return replace(self, **columns)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class Articles(NamedRows):
    """n articles; every attribute that is not the name has n entries, in the order of the source."""

    name: str  # short name ("numhg", a file's name, …)
    ids: tuple[str, ...]  # all different; the number from 0 where the source has no ids
    texts: tuple[str, ...]  # what is read to write a headline: plain text, whole
    references: tuple[tuple[str, ...], ...]  # what people wrote, best first; () where none is known
    parts: tuple[Part, ...]  # part of each article
    clusters: tuple[str, ...]  # articles of one event have the same word here; "" for an article alone
    numbers: tuple[str, ...]  # in the reference, as NumHG asks for it; "" where unknown
    operations: tuple[str, ...]  # "copy" where the article has that number, "reasoning" where not, or ""
    ledger: Mapping[str, int] = field(default_factory=dict)  # as of a timeline's `LoadReport`

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


class ArticleSource(DataSource[Articles]):
    __slots__ = ()
