"""Downloads: data with the group of each headline, and the report of the current view."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import jobs, large_text, resources
from components.downloads import Download, download, stem
from components.job_queue import Job
from components.map.headline_map import detailed_map
from components.mounted import copy_button
from components.timeline import state
from components.timeline.history import corrections_exchange
from components.timeline.workspace import View
from core.events.export import FORMATS, report, report_bundle, table_bytes
from core.runtime import workshop


def exports(view: View) -> None:
    """One menu of everything that can be saved; not for a class."""
    if large_text.on():
        return
    drawing = detailed_map(view, ahead=True)
    with st.popover("Export", icon=":material/download:", key="export-menu"):
        _files(view, drawing)
        corrections_exchange(view)
        _link()


def _files(view: View, drawing: Job) -> None:
    name = stem(view.timeline.name, "headlines")
    with st.container(horizontal=True, key="export"):
        page = Download(
            "Report (HTML)",
            lambda: report(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{name}-report.html",
            "One file with pictures, events and all headlines; opens without a network.",
        )
        bundle = Download(
            "Bundle (ZIP)",
            lambda: report_bundle(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{name}-bundle.zip",
            "Report, figures, tables, settings and checksums; the same view gives the same bytes.",
        )
        download(page, key="export-report", type="primary")
        for kind in FORMATS:
            table = Download(
                kind.upper(),
                partial(table_bytes, view.prepared, view.grouping, kind),
                f"{name}-groups.{kind}",
                "Every headline in its order, with all its columns and its group.",
            )
            download(table, key=f"export-{kind}")
        download(bundle, key="export-bundle")


def _link() -> None:
    elsewhere = "in another browser" if workshop() else "on another computer"
    with st.container(horizontal=True, vertical_alignment="center", key="export-link"):
        copy_button("Copy the link", key="copy-link")
        st.caption(
            "The address of this page holds the whole view: send it to reopen it"
            + (
                f" while this server runs; {elsewhere} the same file has to be opened first."
                if state.now().data.startswith(resources.FILE)
                else "."
            )
        )
