"""Plain text out of HTML; what is no HTML stays as it is."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import Final

from core.text.tokens import word_list

_TAG: Final = re.compile(
    r"</?(?:a|abbr|article|b|blockquote|body|br|center|cite|code|div|em|figcaption|figure|font|form|h[1-6]|head"
    r"|hr|html|i|iframe|img|input|li|link|main|meta|object|ol|p|pre|q|s|script|section|small|span|strong|style"
    r"|sub|sup|svg|table|tbody|td|th|thead|title|tr|u|ul|video)(?:\s[^<>]*)?/?>|<!--|<!DOCTYPE",
    re.IGNORECASE,
)
_ENTITY: Final = re.compile(
    r"&(?:amp|quot|lt|gt|apos|nbsp|laquo|raquo|mdash|ndash|hellip|[lr][sd]quo|#\d{2,6}|#x[0-9a-f]{2,5});",
    re.IGNORECASE,
)
_NO_TAG: Final = re.compile(r"<(?![^<>]*>)")
"""What no browser takes for a tag; html.parser would look for its end up to the text's, again and again."""
_SILENT: Final = frozenset({"script", "style"})
_INLINE: Final = frozenset(
    word_list("a abbr b cite code em font i q s small span strong sub sup u img input link meta")
)


def has_markup(text: str) -> bool:
    """Whether the text holds tags or character references of HTML."""
    return ("<" in text and _TAG.search(text) is not None) or (
        "&" in text and _ENTITY.search(text) is not None
    )


def without_markup(text: str) -> str:
    """The text that a browser would show: tags, scripts and styles gone, character references resolved.

    A text without markup is returned as it is, so that "a < b" stays. Blocks are put on lines of their own.
    """
    if not has_markup(text):
        return text
    if not _TAG.search(text):
        return html.unescape(text)
    reader = _Shown()
    reader.feed(_NO_TAG.sub("&lt;", _without_comments(text)))
    reader.close()
    lines = (line.strip() for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_comments(text: str) -> str:
    before, *parts = text.split("<!--")
    return before + "".join(part.partition("-->")[2] for part in parts)


class _Shown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag not in _INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif tag not in _INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)
