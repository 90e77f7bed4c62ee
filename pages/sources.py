"""Sources: which headlines are there to read, from a file, a feed or an archive?"""

import streamlit as st

from components import resources
from components.archive.view import archive_view, archives_here
from components.importer import open_view
from components.live import LIVE, follow_form, stream_title, stream_view, streams_here
from components.page import page
from components.page_state import PLACES
from components.timeline import state
from components.views import ARCHIVE
from components.widgets import choose_row
from core.data.timelines import load


def open_list() -> None:
    samples = load.names()
    known = resources.known()
    entries = [("Sample" if name in samples else "File", resources.title(name), name) for name in known]
    entries += [("Live", stream_title(path), name) for name, path in streams_here().items()]
    entries += [("Archive", name, name) for name in archives_here()]
    st.header("What is open", anchor=False)
    lines = [{"Name": title, "Kind": kind} for kind, title, _ in entries]
    row = choose_row(lines, key="open-list", alt="Samples, files, streams and archives; choose one")
    if row is None:
        return
    kind, _, name = entries[row]
    if kind in {"Sample", "File"}:
        state.open_data(name)
        st.switch_page("pages/timeline.py")
    LIVE.put(stream=name) if kind == "Live" else ARCHIVE.put(archive=name)
    PLACES.put(sources=kind.lower())
    st.rerun()


with page(__file__, "Sources", "Which headlines do you want to read?") as shown:
    if shown == "live":
        stream_view()
        follow_form()
    elif shown == "archive":
        archive_view()
    elif not open_view():
        open_list()
