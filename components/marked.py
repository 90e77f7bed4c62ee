"""A headline with marked words, as Streamlit markdown in which user text stays text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

from components.markdown import plain
from core.text.differences import Mark, MarkKind, mark

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

LEGEND = (
    ":green[added words and **names**] · :blue[**added numbers**] · "
    ":red-background[numbers or words that disagree]"
)


SUPPORT_LEGEND = (
    ":blue-background[copied from the article] · :green[words not in the article] · "
    ":red-background[**names and numbers not in the article**]"
)


def marked(text: str, marks: Sequence[Mark]) -> str:
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
