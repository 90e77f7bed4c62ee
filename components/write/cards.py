"""Candidates as cards: what each copies and lacks, where its numbers come from, and ways to change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.markdown import SUPPORT_LEGEND, marked, plain
from components.numerals.looks import light_icon
from components.numerals.own import take_over
from components.numerals.subject import check_together
from components.write.subject import WritingSubject
from core.digests import digest
from core.errors import CoreError
from core.headlines.side_by_side.votes import traces
from core.headlines.warnings import WarningKind, warnings_of
from core.headlines.writing.suggesting import WrittenHeadlines
from core.numerals.checks.check_report import light_of, word_of
from core.numerals.claims.verdict import PASSING
from core.numerals.provenance import CheckedHeadline
from core.text.differences import MarkKind, TextMark
from core.text.normalise import clean_line
from core.text.support import Trace

_EDITS: Final = "write_edits"
"""For every candidate that was changed its versions, the first as it was written."""


def cards(subject: WritingSubject, written: WrittenHeadlines, found: int) -> list[str]:
    """One card a candidate of the `found`-th article; gives the headlines as they stand, changed or not."""
    candidates = written.candidates[found]
    if not candidates[0].text:
        st.info("This article holds no sentence to take a headline from.", icon=":material/short_text:")
        return []
    keys = [_key(subject, written, place) for place in range(len(candidates))]
    lines = [_versions(key, candidate.text)[-1] for key, candidate in zip(keys, candidates, strict=True)]
    held = traces(subject.text, lines, frozenset())
    checked = checked_numbers(lines, subject.text)
    for place, (key, line, one) in enumerate(zip(keys, lines, held, strict=True)):
        with st.container(border=True, key=f"headline-{place}"):
            # A sentence of the article would be marked from end to end: that is said in words.
            whole = one.coverage == 1.0 and len(one.marks) == 1
            marks = () if whole else number_marks(one.marks, checked[place])
            if line:
                st.header(marked(line, marks), anchor=False)
            else:
                st.markdown(":gray[*no headline*]")
            warnings = warnings_of(line, subject.text, [*lines[:place], *lines[place + 1 :]])
            copied = any(warning.kind is WarningKind.COPIED for warning in warnings)
            st.caption(plain(" · ".join(_facts(line, one, whole=whole, copied=copied))))
            if candidates[place].instead and line == candidates[place].text:
                st.markdown(f":small[:material/article: {plain(candidates[place].instead)}]")
            for warning in warnings:
                st.markdown(f":small[:orange[:material/warning: {plain(warning.text)}]]")
            verdict(checked[place])
            _buttons(key, candidates[place].text, line, checked[place])
    if any(one.marks and one.coverage != 1.0 for one in held):
        st.markdown(f":small[{SUPPORT_LEGEND}]")
    return lines


def _facts(line: str, held: Trace, *, whole: bool, copied: bool) -> list[str]:
    words = len(line.split())
    facts = [f"{words} word{'s' * (words != 1)}", f"{len(line)} characters"]
    if copied:
        return facts  # the warning says it
    if whole:
        return [*facts, "word for word from the article"]
    return facts if held.coverage is None else [*facts, f"{100 * held.coverage:.0f} % of its words copied"]


def _buttons(key: str, original: str, line: str, checked: CheckedHeadline | None) -> None:
    with st.container(horizontal=True, gap="small"):
        with st.popover("Change", icon=":material/edit:", key=f"change-{key}"):
            st.session_state[f"text-{key}"] = line
            st.text_area(
                "The headline", key=f"text-{key}", height=90, on_change=_change, args=(key, original)
            )
            st.caption("Press Ctrl and Enter, or click elsewhere.")
        with st.popover("Copy", icon=":material/content_copy:", key=f"copy-{key}"):
            st.code(line, language=None, wrap_lines=True)
        to_numerals(checked, key=key)
        if len(_versions(key, original)) > 1:
            st.button(
                "Undo",
                key=f"undo-{key}",
                icon=":material/undo:",
                on_click=_undo,
                args=(key,),
                type="tertiary",
            )


def _key(subject: WritingSubject, written: WrittenHeadlines, place: int) -> str:
    return digest(f"{written.signature}|{subject.text}|{place}", digits=16)


def _versions(key: str, original: str) -> list[str]:
    edits: dict[str, list[str]] = st.session_state.setdefault(_EDITS, {})
    return edits.get(key, [original])


def _change(key: str, original: str) -> None:
    versions = _versions(key, original)
    line = clean_line(st.session_state[f"text-{key}"])
    if line != versions[-1]:
        st.session_state[_EDITS][key] = [*versions, line]


def _undo(key: str) -> None:
    versions = st.session_state[_EDITS][key]
    if len(versions) > 2:
        versions.pop()
    else:
        del st.session_state[_EDITS][key]


def checked_numbers(lines: Sequence[str], text: str) -> Sequence[CheckedHeadline | None]:
    """The headlines compared with their article; None for each until that is known or where it cannot be."""
    try:
        found = check_together(lines, [text] * len(lines))
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
        found = None
    return found or [None] * len(lines)


def number_marks(marks: Sequence[TextMark], checked: CheckedHeadline | None) -> tuple[TextMark, ...]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    if checked is None:
        return tuple(marks)
    bad = [
        TextMark(one.numeral.start, one.numeral.end, MarkKind.UNSUPPORTED_NUMBER)
        for one in checked.numerals
        if one.claim.light not in PASSING
    ]
    rest = [
        one
        for one in marks
        if one.kind is not MarkKind.UNSUPPORTED_NUMBER
        and all(one.end <= other.start or other.end <= one.start for other in bad)
    ]
    return tuple(sorted([*bad, *rest], key=lambda one: one.start))


def verdict(checked: CheckedHeadline | None) -> None:
    """Draws the headline's light and its reason, once they are known."""
    light = None if checked is None else light_of(checked)
    if checked is None or light is None:
        return
    st.markdown(f"{light_icon(light)} **{word_of(light).capitalize()}.** {plain(checked.reason)}")


def to_numerals(checked: CheckedHeadline | None, *, key: str) -> None:
    """The way to the Numerals page; nothing for a headline without a number."""
    if checked is None or not checked.numerals:
        return
    if st.button(
        "Show in the article",
        key=f"numbers-{key}",
        icon=":material/account_tree:",
        help="Opens this headline and the article on the Numerals page.",
    ):
        take_over(checked.article.text, checked.headline)
        st.switch_page("pages/numerals.py")
