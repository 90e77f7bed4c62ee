"""Downloads: data with the group of each headline, and the report of the current view."""

from __future__ import annotations

import re

import streamlit as st

from components import jobs, large_text, resources
from components.copying import copy_button
from components.map.headline_map import detailed_map
from components.timeline import state
from components.timeline.workspace import View
from core.events.export import FORMATS, report, report_bundle, table_bytes
from core.runtime import workshop

MIME = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "tsv": "text/tab-separated-values",
    "html": "text/html",
    "zip": "application/zip",
}


def take_away(view: View) -> None:
    """Buttons that make their file when they are pressed; not for a class."""
    if large_text.on():
        return
    st.header("Take it away", anchor=False)
    drawing = detailed_map(view, ahead=True)
    stem = re.sub(r"[^\w-]+", "-", view.timeline.name).strip("-").lower() or "headlines"
    with st.container(horizontal=True, key="take-away"):
        st.download_button(
            "Report (HTML)",
            lambda: report(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{stem}-report.html",
            MIME["html"],
            key="take-report",
            icon=":material/download:",
            type="primary",
            on_click="ignore",
            help="One file with pictures, events and all headlines; opens without a network.",
        )
        for kind in FORMATS:
            st.download_button(
                kind.upper(),
                lambda kind=kind: table_bytes(view.prepared, view.grouping, kind),
                f"{stem}-groups.{kind}",
                MIME[kind],
                key=f"take-{kind}",
                icon=":material/download:",
                on_click="ignore",
                help="Every headline in its order, with all its columns and its group.",
            )
        st.download_button(
            "Bundle (ZIP)",
            lambda: report_bundle(view.prepared, view.grouping, jobs.wait(drawing)),
            f"{stem}-bundle.zip",
            MIME["zip"],
            key="take-bundle",
            icon=":material/download:",
            on_click="ignore",
            help="Report, figures, tables, settings and checksums; the same view gives the same bytes.",
        )
    elsewhere = "in another browser" if workshop() else "on another computer"
    with st.container(horizontal=True, vertical_alignment="center", key="take-link"):
        copy_button("Copy the link", key="copy-link")
        st.caption(
            "The address of this page holds the whole view: send it to reopen it"
            + (
                f" while this server runs; {elsewhere} the same file has to be opened first."
                if state.now().data.startswith(resources.FILE)
                else "."
            )
        )
