"""What is shown of a stream."""

from dataclasses import dataclass
from typing import Final

from components.frame.links import integer, linked, text
from components.frame.view_state import PageView, ViewState
from core.live import kept
from core.live.replay import SPEED


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveView(PageView):
    stream: str = linked("", text("stream", kept.NAME, wants="the name of a stream"))
    since: int = linked(0, integer("since", r"[0-9]{1,9}"))
    first: bool = False
    paused: bool = False
    speed: float = SPEED  # hours of the replay in a second


LIVE: Final = ViewState(LiveView)
