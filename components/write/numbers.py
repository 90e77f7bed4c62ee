"""Where the numbers of written headlines come from, in a line under each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.markdown import plain
from components.numerals.checked import check_together
from components.numerals.own import take_over
from components.numerals.statuses import LOOKS
from core.errors import CoreError
from core.headlines.numeral_safety import BAD
from core.numerals.provenance import CheckedHeadline
from core.text.differences import Mark, MarkKind


def checked_numbers(lines: Sequence[str], text: str) -> Sequence[CheckedHeadline | None]:
    """The headlines compared with their article; None for each until that is known or where it cannot be."""
    try:
        found = check_together(lines, text)
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
        found = None
    return found or [None] * len(lines)


def number_marks(marks: Sequence[Mark], checked: CheckedHeadline | None) -> tuple[Mark, ...]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    if checked is None:
        return tuple(marks)
    bad = [
        Mark(one.numeral.start, one.numeral.end, MarkKind.UNSUPPORTED_NUMBER)
        for one in checked.numerals
        if one.status in BAD
    ]
    rest = [
        one
        for one in marks
        if one.kind is not MarkKind.UNSUPPORTED_NUMBER
        and all(one.end <= other.start or other.end <= one.start for other in bad)
    ]
    return tuple(sorted([*bad, *rest], key=lambda one: one.start))


def numbers(checked: CheckedHeadline | None, *, key: str) -> None:
    """Draws the line, with the way to the Numerals page; nothing for a headline without a number.

    Args:
        checked: The headline; None where that is not known.
        key: Of the button.
    """
    if checked is None or not checked.numerals:
        return
    told = [
        f"{LOOKS[one.status].icon} **{plain(one.numeral.text)}** {one.status.value}: {plain(one.reason)}"
        for one in checked.numerals
    ]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f":small[{'  '.join(told)}]")
        if st.button(
            "Where from?",
            key=f"numbers-{key}",
            icon=":material/account_tree:",
            type="tertiary",
            help="Opens this headline and the article on the Numerals page.",
        ):
            take_over(checked.article.text, checked.headline)
            st.switch_page("pages/numerals.py")
