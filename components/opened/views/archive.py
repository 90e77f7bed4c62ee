"""What is shown of an archive."""

from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from components.frame import links
from components.frame.links import linked
from components.frame.view_state import PageView, ViewState
from core.archive.query import MOST_CORNERS, ArchiveQuery, Lasso

MOST_CHARACTERS: Final = 200  # characters of what is searched for in an archive
_FOLDER: Final = 255  # characters of the longest name of a folder
_CORNER: Final = 8  # characters of a corner in a link: two numbers of four hexadecimal digits


def _read_lasso(given: str) -> Lasso:
    if len(given) % _CORNER or not 3 <= len(given) // _CORNER <= MOST_CORNERS:
        raise ValueError(given)
    numbers = bytes.fromhex(given)
    if numbers.hex() != given:
        raise ValueError(given)
    whole = [int.from_bytes(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
    return tuple(zip(whole[::2], whole[1::2], strict=True))


_LASSO: Final = links.Link(
    "lasso",
    _read_lasso,
    lambda lasso: "".join(f"{x:04x}{y:04x}" for x, y in lasso),
    "the corners of an area of the map",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveView(PageView):
    archive: str = linked("", links.line("archive", _FOLDER))
    words: str = linked("", links.line("words", MOST_CHARACTERS))
    meaning: bool = linked(False, links.flag("meaning"))
    outlet: str = linked("", links.line("outlet", MOST_CHARACTERS))
    first: date | None = linked(None, links.day("first"))  # noqa: RUF009 - a field
    last: date | None = linked(None, links.day("last"))  # noqa: RUF009 - a field
    group: int = linked(0, links.integer("event", r"[0-9]{1,9}"))
    lasso: Lasso = linked((), _LASSO)  # noqa: RUF009 - a field
    picture: bool = linked(False, links.flag("picture"))

    @property
    def query(self) -> ArchiveQuery:
        given = {each.name: getattr(self, each.name) for each in fields(ArchiveQuery)}
        return ArchiveQuery(**given | {"meaning": self.meaning and bool(self.words)})


ARCHIVE: Final = ViewState(ArchiveView)
