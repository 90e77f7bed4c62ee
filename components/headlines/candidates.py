"""Candidates for a headline as cards, with what each copies, its numbers and changes by hand; and files."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.downloads import downloads
from components.frame.markdown import HELPS, WORDS, marked, plain, styled
from components.frame.tables import show_table
from components.frame.widgets import button, button_to, copy_button, notice
from components.headlines.numerals import checking, lights, own
from components.headlines.writing_subject import WritingSubject
from components.headlines.writing_system import Asked, answer
from core.data.timelines.writers import write_table
from core.digests import digest
from core.errors import CoreError
from core.headlines import generator, headline_warnings, writing
from core.headlines.headline_marks import traces
from core.numerals.checked_headline import PASSING, CheckedHeadline, Light
from core.numerals.checks.verdict_words import light_of, quote, word_of
from core.numerals.claims.whole import NOTHING_AGAINST, QUOTED
from core.results.render import count_words
from core.text.marks import MarkKind, TextMark
from core.text.normalise import clean_line
from core.text.support import Trace

_EDITS: Final = "write_edits"  # by candidate that was changed: its versions, the first as it was written
SHOWN_ROWS = 500


def cards(subject: WritingSubject, written: writing.WrittenHeadlines, *, sentences: bool) -> list[str]:
    candidates = written.candidates[0]
    if not candidates[0].text:
        notice("no_sentence")
        return []
    about = f"{written.signature}|{subject.text}"
    keys = [digest(f"{about}|{place}", digits=16) for place in range(len(candidates))]
    lines = [_versions(key, candidate.text)[-1] for key, candidate in zip(keys, candidates, strict=True)]
    held = traces(subject.text, lines, frozenset())
    checked: Sequence[CheckedHeadline | None] | None = None
    try:
        checked = checking.check_together(lines, subject.given)
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
    checked = checked or [None] * len(lines)
    for place, (key, line, traced) in enumerate(zip(keys, lines, held, strict=True)):
        with st.container(gap="xsmall", key=f"headline-{place}"):
            warnings = headline_warnings.warnings_of(
                line, subject.text, [*lines[:place], *lines[place + 1 :]]
            )
            if place == 0 < len(lines) - 1:
                st.caption("Suggested")
            _card(key, candidates[place], line, traced, checked[place], warnings, sentences)
    if any(trace.marks and trace.coverage != 1.0 for trace in held):
        st.markdown(f":small[{WORDS['texts']['support_legend']} · :orange-background[**numbers to check**]]")
    return lines


def _card(  # noqa: PLR0917 - all that is known of it
    key: str,
    candidate: generator.HeadlineCandidate,
    line: str,
    traced: Trace,
    verdict: CheckedHeadline | None,
    warnings: Mapping[headline_warnings.WarningKind, str],
    sentence: bool,
) -> None:
    original = candidate.text
    if line:
        st.header(marked(line, _marks(traced, verdict)), anchor=False)
    else:
        st.markdown(":gray[no headline]")
    light = None if verdict is None else light_of(verdict)
    copied = warnings.get(headline_warnings.WarningKind.COPIED)
    whole = traced.coverage == 1.0 and len(traced.marks) == 1
    if verdict is not None and light is not None:
        judged = f"{'Numbers' if verdict.numerals else 'Headline'}: {word_of(light)}"
        doubt = light not in PASSING  # is loud, and its reason in sight
        said = f"{lights.light_icon(light)} {f'**{judged}**' if doubt else judged}"
        with st.expander(said, expanded=doubt, key=f"why-{key}-{lights.KINDS[light]}"):
            cut = whole and verdict.reason == NOTHING_AGAINST
            st.markdown(WORDS["texts"]["only_cut"] if cut else plain(verdict.reason))
            if verdict.reason != QUOTED and (pieces := quote(verdict)):
                words = styled([(piece.text, "**{}**" if piece.compared else None) for piece in pieces])
                st.markdown(f":small[:gray[The article:] {words}]")
            look = {"icon": "account_tree", "type": "tertiary", "help": HELPS["to-numerals"]}
            given = verdict.given or verdict.article.text, line
            button_to("check_numbers", "In the article", f"numbers-{key}", own.take_over, *given, **look)
    if candidate.instead and line == original:
        st.markdown(f":small[:material/article: {plain(candidate.instead)}]")
    for warning in (each for each in warnings.values() if each != copied):
        st.markdown(f":small[:orange[:material/warning: {plain(warning)}]]")
    words = sum(any(map(str.isalnum, word)) for word in line.split())
    share = "" if traced.coverage is None else f"{100 * traced.coverage:.0f} % of its words copied"
    exact = "cut from a longer sentence" if light is Light.FOUND else "word for word from the article"
    facts = count_words(words, "word", "words"), f"{len(line)} characters", exact if whole else share
    look = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key=f"card-actions-{key}", **look):
        st.caption(plain(" · ".join(filter(None, facts))))
        copied_by = partial(copy_button, "Copy", key=f"copy-{key}", text=line)
        if not sentence:
            copied_by()
        label = "Edit or copy" if sentence else "Edit"
        with st.popover(label, icon=":material/edit:", type="tertiary", key=f"change-{key}"):
            st.session_state[f"text-{key}"] = line
            look = {"height": 90, "on_change": _change, "args": (key, original)}
            st.text_area("The headline", key=f"text-{key}", **look)
            st.caption("Press Ctrl and Enter, or click elsewhere.")
            if sentence:
                copied_by()
        if len(versions := _versions(key, original)) > 1:
            button("Undo", f"undo-{key}", versions.pop, icon="undo", type="tertiary")


def _versions(key: str, original: str) -> list[str]:
    edits: dict[str, list[str]] = st.session_state.setdefault(_EDITS, {})
    return edits.get(key, [original])


def _change(key: str, original: str) -> None:
    versions, line = _versions(key, original), clean_line(st.session_state[f"text-{key}"])
    if line != versions[-1]:
        st.session_state[_EDITS][key] = [*versions, line]


def _marks(traced: Trace, checked: CheckedHeadline | None) -> Sequence[TextMark]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    # A sentence of the article would be marked from end to end: that is said in words.
    traces = () if traced.coverage == 1.0 else traced.marks
    if checked is None:
        return traces
    kinds = {Light.WRONG: MarkKind.UNSUPPORTED_NUMBER, Light.CHECK: MarkKind.OTHER_NUMBER}
    doubted = ((each.numeral, kinds.get(each.claim.light)) for each in checked.numerals)
    bad = [TextMark(numeral.start, numeral.end, kind) for numeral, kind in doubted if kind]
    rest = (mark for mark in traces if mark.kind is not MarkKind.UNSUPPORTED_NUMBER)
    free = (mark for mark in rest if all(mark.end <= b.start or b.end <= mark.start for b in bad))
    return sorted([*bad, *free], key=lambda mark: mark.start)


def export_headlines(lines: Sequence[str], written: writing.WrittenHeadlines) -> None:
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    made = partial(write_table, table, {}, about=about, rows="headlines")
    files = [(kind.upper(), partial(made, kind), f"headlines.{kind}") for kind in ("csv", "jsonl")]
    text = "Text", lambda: "\n".join([*lines, ""]), "headlines.txt", "One line a headline, as they stand."
    downloads(text, *files, key="write-export")


def export_all(subject: WritingSubject, asked: Asked) -> None:
    opened = subject.opened
    count = len(opened.articles)
    if count < 2:
        return
    with st.container(key="write-all"):
        written = answer(asked, opened.articles, label=f"Write for all {count:,} articles", on_click=True)
        if written is None:
            return
        shown = {"Headline": list(written.headlines[:SHOWN_ROWS])}
        references = opened.articles.references
        if any(references):
            shown["Original headline"] = [given[0] if given else "" for given in references[:SHOWN_ROWS]]
        show_table(shown, alt="The first headline of every article")
        if count > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS:,} of {count:,}; the files hold all.")
        name = f"headlines-{opened.articles.name}"
        made, help = partial(writing.written_bytes, opened, written), HELPS["write-export-all"]
        kinds = ("csv", "jsonl", "xlsx")
        files = [(kind.upper(), partial(made, kind), f"{name}.{kind}", help) for kind in kinds]
        downloads(*files, key="write-export-all")
