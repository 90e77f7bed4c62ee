"""Which room a session is in, as its teacher or as somebody who joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from components.page_state import PageView, ViewState, line, linked


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
        room: The code or ticket in the link, as it stands there.
        code: Of the room that it led to; "" for none yet.
        door: Number of the code that it was.
        joined: This session was in the room.
        item: Key of the item that the person came back to; "" for the next open one.
        refused: Why the last code led nowhere, and what to do; ("", "") where it did not.
    """

    room: str = linked("", line("room", 200))
    code: str = ""
    door: int = 0
    joined: bool = False
    item: str = ""
    refused: tuple[str, str] = ("", "")


TEACHING: Final = ViewState(RoomView)
JOINING: Final = ViewState(JoinView)
