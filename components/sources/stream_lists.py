"""Groups and changes of a stream, as lists in plain HTML."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Final

import streamlit as st

from components.frame.markdown import shorten
from core.live import digest
from core.live.changes import ChangeKind
from core.results.render import moment

_TITLE: Final = 140
_WORDS: Final = {ChangeKind.MERGED: "merged", ChangeKind.SPLIT: "split", ChangeKind.MOVED: "moved"}


def show_groups(title: str, about: str, groups: Sequence[digest.StreamGroup], count: str) -> None:
    st.header(title, anchor=False)
    st.caption(about + ": none" * (not groups))
    numbers, sign = [getattr(group, count) for group in groups], "+" if count == "more" else ""
    lines = (_group(group, at, max(numbers) or 1, sign) for group, at in zip(groups, numbers, strict=True))
    if groups:
        st.html(f'<ul class="live-groups">{"".join(lines)}</ul>')


def _group(group: digest.StreamGroup, number: int, most: int, sign: str) -> str:
    # A group without a new headline changed by a split, a merger or a move.
    count = f"{sign}{number:,}" if group.more else "regrouped"
    lines = "".join(headline_line(each.text, each.published, each.publisher) for each in group.headlines)
    left = group.size - len(group.headlines)
    rest = f"<li>and {left:,} before</li>" if left else ""
    title = escape(shorten(group.title, _TITLE))
    return (
        f'<li style="--share:{number / most:.0%}"><details><summary>'
        f'<span class="live-count">{count}</span>{title}'
        f'<span class="live-number">#{group.number}</span></summary><ul>{lines}{rest}</ul></details></li>'
    )


def headline_line(text: str, published: datetime | None, publisher: str | None) -> str:
    when = "" if published is None else f"<time>{moment(published)}</time> "
    by = f' <span class="live-by">{escape(publisher)}</span>' if publisher else ""
    return f"<li>{when}{escape(text)}{by}</li>"


def change_line(one: digest.LoggedChange) -> str:
    title = f" {escape(shorten(one.title, _TITLE))}" if one.title else ""
    return (
        f'<li><span class="live-count">{_WORDS[one.change.kind]}</span>'
        f'<span class="live-number">#{one.change.source} → #{one.change.group}</span>{title}'
        f'<div class="live-why">{escape(one.change.reason)} '
        f"<time>{moment(one.time)} UTC</time></div></li>"
    )
