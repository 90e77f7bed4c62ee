"""A button that puts a text, or the address of the page, into the clipboard."""

from __future__ import annotations

from components.mounted import mounted

_draw = mounted(
    __file__, "headline_lab_copying", '<button type="button"><span class="label"></span></button>'
)


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws the button; it says so when it has copied.

    Args:
        label: Words on the button.
        key: Of the component.
        text: What is copied; None for the address of the page.
    """
    _draw(key=key, data={"label": label, "text": text}, width="content")
