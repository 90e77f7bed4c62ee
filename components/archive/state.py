"""Which archive is shown, and what of it is selected."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from components.page_state import Link, PageView, ViewState, day, flag, integer, line, linked
from core.archive.layout import MOST_CORNERS, ArchiveQuery, Lasso

WORDS: Final = 200  # characters of what is searched for
_NAME: Final = 255  # characters of the longest name of a folder
_CORNER: Final = 8  # characters of a corner in a link: two numbers of four hexadecimal digits


def _read_lasso(given: str) -> Lasso:
    if len(given) % _CORNER or not 3 <= len(given) // _CORNER <= MOST_CORNERS:
        raise ValueError(given)
    numbers = bytes.fromhex(given)
    if numbers.hex() != given:
        raise ValueError(given)
    whole = [int.from_bytes(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
    return tuple(zip(whole[::2], whole[1::2], strict=True))


def _write_lasso(lasso: Lasso) -> str:
    return "".join(f"{x:04x}{y:04x}" for x, y in lasso)


_LASSO: Final = Link("lasso", _read_lasso, _write_lasso, "the corners of an area of the map")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveView(PageView):
    archive: str = linked("", line("archive", _NAME))
    words: str = linked("", line("words", WORDS))
    outlet: str = linked("", line("outlet", WORDS))
    first: date | None = linked(None, day("first"))  # noqa: RUF009 - a field
    last: date | None = linked(None, day("last"))  # noqa: RUF009 - a field
    group: int = linked(0, integer("event", r"[0-9]{1,9}"))
    lasso: Lasso = linked((), _LASSO)  # noqa: RUF009 - a field
    picture: bool = linked(False, flag("picture"))

    @property
    def query(self) -> ArchiveQuery:
        return ArchiveQuery(
            words=self.words,
            outlet=self.outlet,
            first=self.first,
            last=self.last,
            group=self.group,
            lasso=self.lasso,
        )


ARCHIVE: Final = ViewState(ArchiveView)
