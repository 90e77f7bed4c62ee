"""User text inside Streamlit markdown, never interpreted; headlines with marked words; words of pages."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from core.text.differences import MarkKind, TextMark, mark

WORDS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
"""Tables of words that pages show."""
HELPS: Final[dict[str, str]] = WORDS["help"]
"""What a control explains to who points at it, by its key."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/^=\"'])")

JOINER = "\u2060"
"""WORD JOINER: takes no space and shows nothing; the readers take it out of what is pasted back."""

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
    """The text with every character that markdown could read escaped; one line."""
    return _SPECIAL.sub(r"\\\1", _FOUND_LATER.sub(rf"\g<0>{JOINER}", " ".join(text.split())))


# What one line may hold as it is: no first sign of a list, no entity, and of a kind that pairs only the last.
_HARMLESS = re.compile(
    r"^(?:\d+\\[.)](?=\s|$)|\\[-+#>=*])|\\((?P<last>[$*_~`])(?!.*(?P=last))|&(?!\\?#?\w+;)|\](?!\\\()"
    r"|:(?=[\s\d]|$)|[-+.)>=#\"'(^/{}!|@\[])|\\([:<])"
)


def spoken(text: str) -> str:
    """The same for the label of a widget, which is read out as it is written: with hardly a backslash."""
    return _HARMLESS.sub(lambda found: found[1] or (found[3] + JOINER if found[3] else found[0]), plain(text))


def quiet(*details: str | None) -> str:
    """What is known of something in small grey letters, with points between."""
    return f":small[:gray[{plain(' · '.join(filter(None, details)))}]]"


def paragraphs(text: str) -> str:
    """A text line by line, so that nothing of it is read as markdown."""
    return "\n\n".join(plain(line) for line in text.splitlines() if line.strip())


def shorten(text: str, length: int) -> str:
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    cut = flat[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{(head if space and len(head) > length // 2 else cut).rstrip(' ,;:–—-')}…"


STYLES = {
    MarkKind.ADDED_WORD: ":green[{}]",
    MarkKind.ADDED_NAME: ":green[**{}**]",
    MarkKind.ADDED_NUMBER: ":blue[**{}**]",
    MarkKind.CONFLICTING_NUMBER: ":red-background[**{}**]",
    MarkKind.OPPOSED: ":red-background[{}]",
    MarkKind.COPIED: ":blue-background[{}]",
    MarkKind.NOVEL_WORD: ":green[{}]",
    MarkKind.UNSUPPORTED_NAME: ":red-background[**{}**]",
    MarkKind.UNSUPPORTED_NUMBER: ":red-background[**{}**]",
}
"""What is shared stays plain: only what differs calls for attention."""


def legend(shown: Iterable[TextMark]) -> str:
    """What the marks mean; of disagreement only where something shown disagrees."""
    disagreeing = any(mark.kind in (MarkKind.CONFLICTING_NUMBER, MarkKind.OPPOSED) for mark in shown)
    against = " · :red-background[numbers or words that disagree]" * disagreeing
    return f":green[added words and **names**] · :blue[**added numbers**]{against}"


SUPPORT_LEGEND = (
    ":blue-background[copied from the article] · :green[words not in the article] · "
    ":red-background[**names and numbers not in the article**]"
)


def marked(text: str, marks: Sequence[TextMark]) -> str:
    """The headline as markdown; spaces next to a mark are kept outside it."""
    return styled((fragment, STYLES.get(kind) if kind else None) for fragment, kind in mark(text, marks))


def styled(pieces: Iterable[tuple[str, str | None]]) -> str:
    """Fragments of one line as markdown, each in its style ("…{}…") or plain; together they are the line."""
    parts = []
    # Neighbours of one style are joined first: an address or an emoji must not hide in their seam.
    for style, run in groupby(pieces, key=itemgetter(1)):
        fragment = "".join(piece for piece, _ in run)
        core = fragment.strip()
        if style is None or not core:
            lead = " " if fragment[:1].isspace() else ""
            tail = " " if fragment[-1:].isspace() and core else ""
            parts.append(lead + plain(fragment) + tail)
        else:
            before, _, after = fragment.partition(core)
            parts.append(before + style.format(plain(core)) + after)
    return "".join(parts)
