"""User text inside Streamlit markdown, never interpreted."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/^=\"'])")


def plain(text: str) -> str:
    """The text with every character that markdown could read escaped; one line.

    No link, picture, formula, icon or HTML in it is interpreted, and bare addresses do not
    become links.
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def shorten(text: str, length: int) -> str:
    """The text cut at a word boundary to at most `length` characters, with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    cut = flat[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{(head if space and len(head) > length // 2 else cut).rstrip(' ,;:–—-')}…"
