"""What copying did to a text, undone: character references of HTML, and letters read in a wrong encoding."""

from __future__ import annotations

import html
import re
from typing import Final, NamedTuple

_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PASSES: Final = 3  # what was escaped, and escaped again
_SUSPECT: Final = re.compile(r"[^\x00-\x7f]{2}|[\x80-\x9f]|[ÂÃ]")
"""Letters that were read wrongly leave at least two in a row, or the second of them was a space."""
_NOTHING: Final = ("n/a", "n.a.", "n.a", "na", "nan", "null", "nil", "none", "k.a.", "н/д")
MISSING: Final = frozenset((*_NOTHING, "-", "--", "---", "–", "—", "[removed]", "[deleted]"))
"""What stands in a cell without a value, in lower case."""


class Repaired(NamedTuple):
    text: str
    references: bool  # character references such as `&mdash;` were replaced by their characters
    letters: bool  # letters were garbled, as in "cafÃ©"


def repaired(text: str) -> Repaired:
    """The text with character references decoded and garbled letters put right; tags stay as they are.

    References need their semicolon, so that addresses keep "&copy=1". Letters are judged by ftfy
    (R. Speer, ftfy, 2019), which leaves alone what may have been meant.
    """
    decoded = text
    for _ in range(_PASSES):
        if "&" not in decoded or _REFERENCE.search(decoded) is None:
            break
        decoded = _REFERENCE.sub(_character, decoded)
    put_right = decoded
    if not decoded.isascii() and _SUSPECT.search(decoded):
        import ftfy  # takes a tenth of a second, and most texts do not need it

        put_right = ftfy.fix_encoding(decoded)
    return Repaired(put_right, decoded != text, put_right != decoded)


def _character(found: re.Match[str]) -> str:
    return html.unescape(found[0])


def is_missing(text: str) -> bool:
    """Whether a cell says that it has no value: "n/a", "-", "null" and the like, in any case."""
    return len(text) <= 20 and text.strip().casefold() in MISSING
