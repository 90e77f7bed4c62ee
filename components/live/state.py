"""Which stream is shown, and up to where the reader knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from components.page_state import PageView, ViewState, integer, linked, text
from core.live.log import NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveView(PageView):
    """What the Live page shows.

    Attributes:
        stream: Name of the stream; "" for the one that was written last.
        since: Number of the record up to which the reader knows it; 0 before the first look.
        first: That look was during this visit.
        paused: The page stays as it is.
    """

    stream: str = linked("", text("stream", NAME, wants="the name of a stream"))
    since: int = linked(0, integer("since", r"[0-9]{1,9}"))
    first: bool = False
    paused: bool = False


LIVE: Final = ViewState(LiveView)
