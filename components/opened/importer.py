"""A file of headlines, or pasted lines, on its way to an open timeline, and what to ask about its reading."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from components.frame.downloads import download
from components.frame.errors import errors_shown
from components.frame.markdown import HELPS, WORDS, plain, shorten
from components.frame.page_state import write_address
from components.frame.tables import text_table
from components.frame.widgets import button
from components.opened import resources
from components.opened.column_form import column_form, first_rows, meanings
from components.opened.reading import looked_at, read
from components.opened.views import timeline as state
from core import limits
from core.data.timelines import readers
from core.data.timelines.load import EVERY_TIMELINE, check_pasted, load, load_text
from core.data.timelines.preview import Preview, sniff
from core.data.timelines.raw import EVERY_SHEET, listing
from core.data.timelines.reading_check import ReadingQuestion, check_reading
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.writers import rejected_csv
from core.headlines.opening import GivenFile
from core.results.render import count_words

MEANINGS = meanings("timeline")
SHOWN_REJECTED = 200
SHOWN_AT_ONCE, TALL = 15, 560  # more rows than that stand in a box of so many pixels
_LEFT = "reading-left"  # questions that a person wants no more of, with the file
_questions = resources.cached(lambda name: check_reading(resources.timeline(name)), max_entries=32)
ImportOptions = Mapping[str, str | int | None]
"""Format, sheet and header of a file where the reader chose; without, what the program recognises."""


def open_view() -> bool:
    """Draws the steps from a file, or pasted lines, to an open timeline; says whether anything was given."""
    given = read_input()
    if given is None or not st.session_state.get("loaded"):
        write_address()
    if given is None:
        return False
    above = st.container()  # in the window, however much the file needs below
    preview, reading = understand(given)
    st.header("What the columns mean", anchor=False)
    proposed = {field.value: names for field, names in preview.mapping.items()}
    asked = MEANINGS if preview.mapping.get(Field.ANNOTATOR) else MEANINGS[:-1]
    chosen = column_form(asked, preview.columns, proposed, key="map")
    mapping = {Field(name): names for name, names in chosen.items()}
    used = {name for names in mapping.values() for name in names}
    if unused := [name for name in preview.columns if name not in used]:
        st.caption(f"Not used, but included in every download: {plain(listing(unused))}.")
    timeline = None
    if preview.timelines:
        sizes = preview.timelines.items()
        words = {name: f"{name} ({count_words(size, 'headline', 'headlines')})" for name, size in sizes}
        words[EVERY_TIMELINE] = "all of them together"
        look = {"key": "open-timeline", "help": "This file holds several timelines."}
        timeline = st.selectbox("Timeline", list(words), format_func=words.__getitem__, **look)
    # Once they are open, the next step is the loudest.
    here = st.session_state.get("loaded") == hash(given) and state.now().data.startswith(resources.FILE)
    label, look = ("Load again", "secondary") if here else ("Load these headlines", "primary")
    if above.button(label, type=look, key="load", icon=":material/check:"):
        with above:
            loaded = load_given(given, reading, mapping, timeline)
        st.session_state["loaded"] = None if loaded is None else hash(given)
        if loaded is not None and not loaded.report.rejected:
            st.switch_page("pages/timeline.py")
        if loaded is not None:
            st.rerun()
    elif here:
        state.write_address()
        with above:
            _loaded()
    return True


def _loaded() -> None:
    timeline = resources.timeline(state.now().data)
    why = f" {_excluded(timeline)}: see beneath." * bool(timeline.report.rejected)
    are = count_words(len(timeline), "headline is", "headlines are")
    with st.container(horizontal=True, vertical_alignment="center", key="loaded"):
        st.success(f"**{are} open.**{why}", icon=":material/check_circle:")
        st.page_link("pages/timeline.py", label="See the groups", icon=":material/view_timeline:")
    reading_strip(state.now().data)
    if timeline.report.rejected:
        excluded_rows(timeline)
    for note in timeline.report.notes:
        st.caption(plain(note))


def _excluded(timeline: Timeline) -> str:
    return f"{count_words(len(timeline.report.rejected), 'row was', 'rows were')} excluded"


def read_input() -> GivenFile | None:
    left, right = st.container(key="open-input").columns(2, gap="large")
    files = left.file_uploader("A file, or several as one timeline", key="upload", accept_multiple_files=True)
    left.caption(WORDS["texts"]["open_files"].format(limits.FILE_MEGABYTES.value))
    uploaded = given_file(files)
    look = {"height": 130, "placeholder": WORDS["texts"]["pasted_example"]}
    pasted = right.text_area("… or pasted headlines, one a line", key="pasted", **look)
    go_on = right.button("Open these headlines", key="open-pasted")
    right.caption(WORDS["texts"]["open_pasted"])
    if uploaded is not None or not pasted.strip():
        return uploaded
    check_pasted(pasted)
    given = GivenFile("", pasted.encode("utf-8", errors="replace"))
    if go_on and open_at_once(given):
        st.switch_page("pages/timeline.py")
    return given


def given_file(uploaded: Iterable[Any]) -> GivenFile | None:
    """Uploaded files as one; None where there is none."""
    first, *more = [GivenFile(file.name, file.getvalue()) for file in uploaded] or [None]
    return first and replace(first, more=tuple(filter(None, more)))


def _looked_at(given: GivenFile, reading: ImportOptions) -> Preview:
    mark = hashlib.sha256(repr(tuple(reading.values())).encode())
    for file in (given, *given.more):
        mark.update(f"{file.name!r} {len(file.data)}".encode() + file.data)
    look = partial(sniff, **reading, more=[(file.data, file.name) for file in given.more])
    asked = "Reading the file", look, given.data, given.name
    return looked_at(*asked, remembered="open-looked-at", mark=mark.hexdigest())


def understand(given: GivenFile) -> tuple[Preview, ImportOptions]:
    choices = st.container(horizontal=True, key="reading")
    automatic = "recognise it"
    look = {"key": "open-format", "help": "Change it when it was not recognised.", "width": 200}
    chosen = choices.selectbox("Format", [automatic, *readers.names()], format_func=readers.title, **look)
    reading = {"format": None if chosen == automatic else chosen, "sheet": None, "header": None}
    preview = _looked_at(given, reading)
    if len(preview.sheets) > 1:
        words = {name: f"{name} ({count:,} filled lines)" for name, count in preview.sheets.items()}
        words[EVERY_SHEET] = "all sheets together"
        look = {"key": f"open-sheet-{hash(given)}", "help": HELPS["open-sheet"], "width": 300}
        reading["sheet"] = choices.selectbox("Sheet", list(words), format_func=words.__getitem__, **look)
        preview = _looked_at(given, reading)
    if preview.header is not None:
        key = f"open-header-{hash(given)}-{reading['sheet']}-{reading['format']}"
        look = {"key": key, "help": HELPS["open-header"], "width": 260}
        header = choices.number_input("Line with the names of the columns", 0, None, preview.header, **look)
        if header != preview.header:
            reading["header"] = int(header)
            preview = _looked_at(given, reading)
    delimiter = preview.delimiter and f"delimiter: {preview.delimiter}"
    details = filter(None, (readers.title(preview.format), preview.encoding, delimiter))
    how, rows = plain(" · ".join(details)), count_words(preview.row_count, "row", "rows")
    st.markdown("  \n".join([f"**{rows}** read as {how}.", *map(plain, preview.notes)]))
    first_rows(preview.columns, preview.rows)
    return preview, reading


def open_at_once(given: GivenFile) -> bool:
    """Opens a file, or pasted lines, as it is recognised; where that fails, says why."""
    reading = dict.fromkeys(("format", "sheet", "header"))
    preview = None
    with errors_shown("Sources"):
        preview = _looked_at(given, reading)
    if preview is None:
        return False
    found = ((field, names) for field, names in preview.mapping.items() if names)
    mapping = {field: names if field is Field.ANNOTATOR else names[:1] for field, names in found}
    opened = load_given(given, reading, mapping, next(iter(preview.timelines), None))
    if opened is not None:
        st.toast(f"Read as {plain(readers.title(opened.report.format))}.", icon=":material/description:")
    if opened is not None and opened.report.rejected:
        st.toast(f"{_excluded(opened)}. On Timeline, Settings says why.", icon=":material/info:")
    return opened is not None


def load_given(
    given: GivenFile, reading: ImportOptions, mapping: dict[Field, tuple[str, ...]], timeline: str | None
) -> Timeline | None:
    with errors_shown("Sources"):
        if not given.name and reading["format"] is None and not mapping:
            loaded = read("Reading the text", load_text, given.data.decode("utf-8"))
        else:
            named = None if given.name else "Pasted headlines"
            more = [(file.data, file.name) for file in given.more]
            loading = partial(load, **reading, mapping=mapping, timeline=timeline, name=named, more=more)
            loaded = read("Reading the file", loading, given.data, given.name)
        resources.open_file(loaded)
        return loaded
    return None


def excluded_rows(timeline: Timeline) -> None:
    rejected = timeline.report.rejected
    shown = rejected[:SHOWN_REJECTED]
    cells = {"Line": [row.line for row in shown], "Reason": [plain(row.reason) for row in shown]}
    cells["Value"] = [plain(shorten(row.value, 80)) or "nothing" for row in shown]
    cells["Column"] = [plain(shorten(row.column, 60)) or "whole row" for row in shown]
    tall = TALL if len(shown) > SHOWN_AT_ONCE else "content"
    text_table(cells, height=tall, alt="Excluded rows: line, reason, value and column")
    more = f" The first {SHOWN_REJECTED} are shown." if len(rejected) > SHOWN_REJECTED else ""
    st.caption(f"Change the file and open it again, or give the columns another meaning.{more}")
    label = f"The {len(rejected):,} excluded rows (CSV)" if len(rejected) > 1 else "The excluded row (CSV)"
    download((label, lambda: rejected_csv(timeline.report), "rejected-rows.csv"), key="export-rejected")


def reading_strip(name: str) -> None:
    """Draws what to ask before the headlines are grouped; nothing where the file was read well."""
    left: set[tuple[str, str]] = st.session_state.setdefault(_LEFT, set())
    asked = _questions(name) if name.startswith(resources.FILE) else []
    asked = [each for each in asked if (name, each.name) not in left]
    if not asked:
        return
    with st.container(border=True, key="reading-check", gap="small"):
        for each in asked:
            with st.container(horizontal=True, vertical_alignment="center", key=f"reading-{each.name}"):
                st.markdown(f":material/help: **{plain(each.asks)}** {plain(each.because)}", width="stretch")
                act, leave = partial(_settle, each), partial(left.add, (name, each.name))
                button(plain(each.act), f"settle-{each.name}", act, type="primary")
                button("Keep as it is", f"leave-{each.name}", leave, type="tertiary")


def _settle(question: ReadingQuestion) -> None:
    resources.open_file(question.settled())
