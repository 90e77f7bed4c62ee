"""User text inside Streamlit markdown, never interpreted."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/^=\"'])")

JOINER = "\u2060"
"""WORD JOINER: takes no room and shows nothing; the readers take it out of what is pasted back."""

# Streamlit looks for these once more after markdown was read, where a backslash no longer helps:
# emoji and icons, addresses and mail addresses, and arrows and dashes that stand alone.
_FOUND_LATER = re.compile(
    r"""
    :(?=[\w+-]+:)(?!\d+:)
    | https?:(?=//)
    | www(?=\.)
    | (?<=[-.\w+])@(?=[-\w])
    | (?<!\S)(?:<-(?=>?(?!\S))|[-<>~](?=[-=>](?!\S)))
    """,
    re.IGNORECASE | re.VERBOSE,
)


def plain(text: str) -> str:
    """The text with every character that markdown could read escaped; one line.

    No link, picture, formula, icon or HTML in it is interpreted, bare addresses do not become
    links, and what is seen is the text itself.
    """
    apart = _FOUND_LATER.sub(rf"\g<0>{JOINER}", " ".join(text.split()))
    return _SPECIAL.sub(r"\\\1", apart)


def shorten(text: str, length: int) -> str:
    """The text cut at a word boundary to at most `length` characters, with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    cut = flat[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{(head if space and len(head) > length // 2 else cut).rstrip(' ,;:–—-')}…"
