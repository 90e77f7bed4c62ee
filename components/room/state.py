"""Which room a session is in, as its teacher or as somebody who joined."""

from dataclasses import dataclass
from typing import Final

from components.page_state import PageView, ViewState, line, linked


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView(PageView):
    code: str = ""
    token: str = ""
    item: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinView(PageView):
    room: str = linked("", line("room", 200))
    code: str = ""
    door: int = 0
    joined: bool = False
    item: str = ""
    refused: tuple[str, str] = ("", "")


TEACHING: Final = ViewState(RoomView)
JOINING: Final = ViewState(JoinView)
