"""User text inside Streamlit markdown, never interpreted; headlines with marked words; words of pages."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from core.text.marks import AGAINST, MarkKind, TextMark, mark

WORDS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
"""Tables of words that pages show."""
HELPS: Final[dict[str, str]] = WORDS["help"]
"""What a control explains to who points at it, by its key."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/^=\"'])")
SEAM: Final = ":small[]"
"""Nothing, in small letters: it parts a text for Streamlit, and is not in what is seen and copied."""
JOINER: Final = "\u2060"
"""WORD JOINER, in the place of a seam where markdown is read out as it is written."""
# Streamlit looks for these once more after markdown was read, where a backslash no longer helps, in each
# piece of text: emoji and icons, addresses and mail addresses, and arrows and dashes that stand alone.
_FOUND_LATER = re.compile(
    r"""
    :(?=[\w+-]+:)(?!\d+:)
    | https?:(?=//)
    | www(?=\.)
    | (?<=[-.\w+])@(?=[-\w])
    | (?<![^\s@])(?:<(?=->?(?!\S))|[->~](?=[-=>](?!\S))|<(?==(?!\S))) | (?<=(?<![^\s@])<)-(?=>(?!\S))
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What one line may hold as it is: no first sign of a list, no entity, and of a kind that pairs only the last.
_HARMLESS = re.compile(
    r"^(?:\d+\\[.)](?=\s|$)|\\[-+#>=*])|\\((?P<last>[$*_~`])(?!.*(?P=last))|&(?!\\?#?\w+;)|\](?!\\\()"
    r"|:(?=[\s\d]|$)|[-+.)>=#\"'(^/{}!|@\[])|\\([:<])"
)
_ADDRESS: Final = re.compile(
    r"""
    (?P<web>\bhttps?://)[^\s<>"“”«»]*[^\s<>"“”«».,;:!?'’)\]}*_]  # without the mark that ends a sentence
    # A mail address from its very begin on (RFC 5322), alone, in a list or in quotes: else none at all.
    | (?:(?<![^\s(<\[,;:])|(?<=["“”„«»‘’‚'])(?<![^\s(<\[,;:]["“”„«»‘’‚']))(?!['*/=`{|}~-])
      [\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*
      @(?:[\w-]+\.)+[^\W\d_](?:[^\W_]|-(?=\w))*(?!-?[\w@]|\.\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
STYLES = {
    MarkKind.ADDED_WORD: ":green[*{}*]",
    MarkKind.ADDED_NAME: ":green[***{}***]",
    MarkKind.ADDED_NUMBER: ":blue[**_{}_**]",
    MarkKind.CONFLICTING_NUMBER: ":red-background[**{}**]",
    MarkKind.OTHER_NUMBER: ":orange-background[**{}**]",
    MarkKind.OPPOSED: ":red-background[{}]",
    MarkKind.COPIED: ":blue-background[{}]",
    MarkKind.NOVEL_WORD: ":green[*{}*]",
    MarkKind.UNSUPPORTED_NAME: ":red-background[**{}**]",
    MarkKind.UNSUPPORTED_NUMBER: ":red-background[**{}**]",
}
"""What is shared stays plain; page.css underlines emphasis in a colour: green alone looks like ink."""


def plain(text: str, seam: str = SEAM) -> str:
    """The text with every character that markdown could read escaped; one line."""
    return _escaped(" ".join(text.split()), seam)


def _escaped(line: str, seam: str = SEAM) -> str:
    ends = [0, *(found.end() for found in _FOUND_LATER.finditer(line)), len(line)]
    return seam.join(_SPECIAL.sub(r"\\\1", line[at:end]) for at, end in pairwise(ends))


def spoken(text: str) -> str:
    """The same for the label of a widget, which is read out as it is written: with hardly a backslash."""
    return _HARMLESS.sub(
        lambda found: found[1] or (found[3] + JOINER if found[3] else found[0]), plain(text, JOINER)
    )


def quiet(*details: str | None) -> str:
    """What is known of something in small grey letters, with points between."""
    return f":small[:gray[{plain(' · '.join(filter(None, details)))}]]"


def paragraphs(text: str, shown: Callable[[str], str] = plain) -> str:
    """A text line by line, so that nothing of it is read as markdown."""
    return "\n\n".join(shown(line) for line in text.splitlines() if line.strip())


def linked(text: str) -> str:
    """The same as `plain`, with web and mail addresses as links: for texts of those who run a study."""
    line, pieces, begin = " ".join(text.split()), list[str](), 0
    for found in _ADDRESS.finditer(line):
        whole = found[0] if found["web"] else f"mailto:{quote(found[0], safe='@+')}"
        address = _SPECIAL.sub(r"\\\1", whole)
        pieces += _escaped(line[begin : found.start()]), f"[{_escaped(found[0])}](<{address}>)"
        begin = found.end()
    return "".join([*pieces, _escaped(line[begin:])])


def shorten(text: str, length: int) -> str:
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    cut = flat[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{(head if space and len(head) > length // 2 else cut).rstrip(' ,;:–—-')}…"


def legend(shown: Iterable[TextMark]) -> str:
    """What the marks mean; of numbers and of disagreement only where something shown has them."""
    kinds = {mark.kind for mark in shown}
    against = " · :red-background[numbers or words that disagree]"
    against *= not kinds.isdisjoint(AGAINST)
    added = ":green[*added words*] and :green[***names***]"
    added = added if MarkKind.ADDED_WORD in kinds else ":green[***added names***]"
    numbers = " · :blue[**_added numbers_**]" * (MarkKind.ADDED_NUMBER in kinds)
    return f"{added}{numbers}{against}"


def marked(text: str, marks: Sequence[TextMark], styles: Mapping[MarkKind, str] = STYLES) -> str:
    """The headline as markdown; spaces next to a mark are kept outside it."""
    return styled((fragment, styles.get(kind) if kind else None) for fragment, kind in mark(text, marks))


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
