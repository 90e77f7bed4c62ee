"""Which room a session is in, as its teacher or as somebody who joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from components.page_state import PageView, ViewState, line, linked

LONGEST_CODE: Final = 200
"""Characters of what stands as a code in a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView(PageView):
    """The room that a teacher has open.

    Attributes:
        code: Of the room; "" for none.
        token: Of who opened it.
        item: Place of the item whose answers are shown.
    """

    code: str = ""
    token: str = ""
    item: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinView(PageView):
    """The room that somebody joins.

    Attributes:
        room: The code in the link, as it stands there.
        code: Of the room that it led to; "" for none yet.
        token: Of the person; "" before joining.
        item: Key of the item that the person came back to; "" for the next open one.
        refused: Why the last code led nowhere, and what to do; ("", "") where it did not.
    """

    room: str = linked("", line("room", LONGEST_CODE))
    code: str = ""
    token: str = ""
    item: str = ""
    refused: tuple[str, str] = ("", "")


TEACHING: Final = ViewState(RoomView)
JOINING: Final = ViewState(JoinView)
