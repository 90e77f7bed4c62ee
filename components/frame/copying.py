"""A button that copies."""

from typing import Final

from components.frame.mounting import mounted

_draw: Final = mounted(__file__, "copying", '<button type="button"><span class="label"></span></button>')


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws a button that copies a text, or without one the address of the page, and says so."""
    _draw(key=key, data={"label": label, "text": text}, width="content")
