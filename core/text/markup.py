"""HTML in texts: tags taken off as a browser would, character references and garbled letters put right."""

import html
import re
from html.parser import HTMLParser
from typing import Final, NamedTuple

from core.files import read_tables
from core.text.reading import reads
from core.text.tokens import word_list

_TABLES: Final = read_tables(__file__)
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PASSES: Final = 3  # what was escaped, and escaped again
_SUSPECT: Final = re.compile(r"[^\x00-\x7f]{2}|[\x80-\x9f]|[ÂÃ]")
"""Letters that were read wrongly leave at least two in a row, or the second of them was a space."""
_TAG: Final = re.compile(
    rf"</?(?:{'|'.join(_TABLES['known'].split())})(?:\s[^<>]*)?/?>|<!--|<!DOCTYPE", re.IGNORECASE
)
_ENTITY: Final = re.compile(
    r"&(?:amp|quot|lt|gt|apos|nbsp|laquo|raquo|mdash|ndash|hellip|[lr][sd]quo|#\d{2,6}|#x[0-9a-f]{2,5});",
    re.IGNORECASE,
)
_NO_TAG: Final = re.compile(r"<(?![^<>]*>)")
"""What no browser takes for a tag; html.parser would look for its end up to the text's, again and again."""
_SILENT: Final = frozenset({"script", "style"})
_INLINE: Final = frozenset(word_list(_TABLES["inline"]))


class Repaired(NamedTuple):
    text: str
    references: bool  # character references such as `&mdash;` were replaced by their characters
    letters: bool  # letters were garbled, as in "cafÃ©"


@reads("garbled letters", lambda text: Repaired(text, False, False))
def repaired(text: str) -> Repaired:
    """The text with character references decoded, but "&copy=1", and garbled letters put right by ftfy."""
    decoded = text
    for _ in range(_PASSES):
        if "&" not in decoded or _REFERENCE.search(decoded) is None:
            break
        decoded = _REFERENCE.sub(lambda match: html.unescape(match[0]), decoded)
    put_right = decoded
    if not decoded.isascii() and _SUSPECT.search(decoded):
        import ftfy  # takes a tenth of a second, and most texts do not need it

        put_right = ftfy.fix_encoding(decoded)
    return Repaired(put_right, decoded != text, put_right != decoded)


def has_markup(text: str) -> bool:
    return ("<" in text and _TAG.search(text) is not None) or (
        "&" in text and _ENTITY.search(text) is not None
    )


@reads("markup", str)
def without_markup(text: str) -> str:
    """The text that a browser would show, blocks on lines of their own; without markup as it is: "a < b"."""
    if not has_markup(text):
        return text
    if not _TAG.search(text):
        return html.unescape(text)
    reader = _Shown()
    before, *parts = text.split("<!--")
    reader.feed(_NO_TAG.sub("&lt;", before + "".join(part.partition("-->")[2] for part in parts)))
    reader.close()
    lines = (line.strip() for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


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
