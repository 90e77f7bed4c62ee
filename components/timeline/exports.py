"""What can be saved of a timeline: its groups, its map, its corrections."""

from functools import partial
from typing import Final

import streamlit as st

from components.frame.downloads import download, downloads, stem
from components.frame.errors import errors_shown
from components.frame.markdown import HELPS
from components.frame.page_state import is_large
from components.frame.widgets import copy_button, notice
from components.opened import resources
from components.opened.reading import read
from components.opened.views import timeline as state
from components.server import queue
from components.timeline import correct, headline_map, workspace
from core import limits
from core.errors import InputError
from core.events.correction import log_bytes, read_log
from core.events.export import LabelColumns, gold_bytes, report, report_bundle, table_bytes
from core.events.interactive_page import interactive_page
from core.journal.journal import the_journal
from core.people.codebook import CodingStore
from core.runtime import workshop

_TABLES: Final = {
    "csv": "CSV", "xlsx": "Excel", "json": "JSON", "tsv": "TSV", "jsonl": "JSONL", "parquet": "Parquet",
}  # fmt: skip


def coding(view: workspace.View) -> CodingStore:
    return CodingStore(the_journal(), view.prepared.source.index, resources.owner())


def codes(view: workspace.View) -> LabelColumns:
    groups = view.prepared.spread(view.grouping.ids)
    return coding(view).codes(groups).columns(groups)


def exports(view: workspace.View) -> None:
    if is_large():
        return
    drawing = headline_map.detailed_map(view, ahead=True)
    menu = st.popover("Export", icon=":material/download:", key="export-menu")
    with menu.container(key="export-body"):
        name, shown = stem(view.timeline.name, "headlines"), (view.prepared, view.grouping)
        page = (
            "Report (HTML)",
            lambda: report(*shown, queue.wait(drawing), codes(view)),
            f"{name}-report.html",
        )
        download(page, key="export-report", type="primary")
        st.caption("To read: pictures, events and all headlines in one file.")
        with st.container(horizontal=True, key="export"):
            give = partial(interactive_page, *shown)
            saved = "Interactive page", lambda: give(queue.wait(drawing), codes(view)), f"{name}-page.html"
            download(saved, key="export-page")
            pack = partial(report_bundle, *shown)
            bundle = (
                "Everything (ZIP)",
                lambda: pack(queue.wait(drawing), codes(view)),
                f"{name}-bundle.zip",
            )
            download(bundle, key="export-bundle")
        st.markdown("The table of groups")
        with st.container(horizontal=True, key="export-tables"):
            for kind, called in _TABLES.items():
                make, help = partial(_table, view, kind), HELPS["export-table"]
                download((called, make, f"{name}-groups.{kind}", help), key=f"export-{kind}")
        corrections_exchange(view)
        elsewhere = "In another browser" if workshop() else "On another computer"
        own = f" {elsewhere} the file has to be opened first." * state.now().data.startswith(resources.FILE)
        with st.container(horizontal=True, vertical_alignment="center", key="export-link"):
            copy_button("Copy the link", key="copy-link")
            st.caption(f"The address of this page holds the whole view: send it to reopen it.{own}")


def _table(view: workspace.View, kind: str) -> bytes:
    return table_bytes(view.prepared, view.grouping, kind, codes(view))


def corrections_exchange(view: workspace.View) -> None:
    history = view.corrections.history
    with st.expander("Corrections", icon=":material/edit:", key="corrections-exchange"):
        if history.corrections:
            name = stem(view.timeline.name, "headlines")
            log = "Export corrections", lambda: log_bytes(history), f"{name}-corrections.json"
            gold = partial(gold_bytes, view.prepared, view.grouping)
            downloads(log, ("Save as gold", gold, f"{name}-gold.csv"), key="export-corrections")
        look = {"key": f"import-corrections-{state.now().epoch}", "help": HELPS["import-corrections"]}
        given = st.file_uploader("Add corrections from a file", type="json", **look)
        if given is not None:
            content, most, new = given.getvalue(), limits.FILE_MEGABYTES.value, None
            with errors_shown("Corrections"):
                if len(content) > most * 1e6:
                    said = f"The file is larger than {most:,} megabytes."
                    raise InputError(said, hint="Export the log alone.")
                given_log = read("Reading the corrections", read_log, content)
                new = resources.correction_store(view.prepared).merge(given_log)
            if new:
                correct.stay(view)
                st.rerun()
            elif new is not None:
                notice("corrections_known")
