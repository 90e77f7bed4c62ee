"""A button that turns notifications of the browser on and off."""

from collections.abc import Sequence
from typing import Final

from components.frame.mounting import mounted

_HTML: Final = '<button type="button"><span class="label" aria-live="polite"></span></button>'
_notifier = mounted(__file__, "notifying", _HTML, style="copying")


def notifier(about: str, news: Sequence[tuple[str, str, str]]) -> None:
    """Draws the button; what is new from then on, each an id, a title and a text, is shown while it is on."""
    told = [dict(zip(("id", "title", "text"), each, strict=True)) for each in news]
    words = {"start": "Notify me in this browser", "stop": "Stop notifications"}
    _notifier(key="notifier", data={"about": f"notify-{about}", "news": told, **words}, width="content")
