"""What is selected of an archive, in lists."""

import math
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.downloads import download, stem
from components.frame.markdown import plain, shorten
from components.frame.tables import TABLES, choose_row, headline_columns, show_table
from components.frame.widgets import button, metrics, notice
from components.opened import resources
from components.opened.views.archive import ARCHIVE
from core import limits
from core.archive.opened import ArchiveAnswer, OpenArchive
from core.data.timelines.periods import Period
from core.data.timelines.timeline import Field
from core.digests import digest
from core.results.delimited import delimited
from core.results.render import safe_link

_TITLE: Final = 140


def selection_card(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    now = ARCHIVE.now()
    event, count = archive.place_of(now.group), len(answer.rows)
    title = "All headlines" if count == len(archive) else "What you selected"
    counted = "Groups", f"{len(answer.groups):,}"
    if event is not None:
        chosen = archive.events.iloc[event]
        title, counted = shorten(chosen["title"], _TITLE), ("Outlets", f"{chosen['outlets']:,}")
    st.header(plain(title), anchor=False)
    dated = answer.rows[answer.rows < len(archive.days)]
    days = _between(*archive.table(dated[[0, -1]])[Field.PUBLISHED.value]) if len(dated) else "–"
    metrics([("Headlines", f"{count:,}"), counted, ("Days", days)], key="archive-figures")
    with st.container(horizontal=True, key="archive-actions"):
        if count:
            most = limits.FILE_ROWS.value
            help = None if count <= most else f"A timeline holds {most:,} headlines: select fewer."
            look = {"icon": "view_timeline", "disabled": count > most, "help": help}
            if button("Open as a Timeline", "archive-open", **look):
                whole = archive.path.name if count == len(archive) else title
                resources.open_file(archive.timeline(answer.rows, whole))
                st.switch_page("pages/timeline.py")
        if now.query != type(now)().query:
            clear = partial(select_group, 0)
            button("Clear the selection", "archive-clear", clear, icon="close", type="tertiary")


def select_group(group: int) -> None:
    ARCHIVE.reset("words", "outlet", "first", "last", "lasso")
    ARCHIVE.put(group=group)


def groups_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if ARCHIVE.now().group or not len(answer.groups):
        return
    part = _page(len(answer.groups), 10, "groups")
    events = archive.events.iloc[answer.groups[part]]
    table = {
        "Headlines": answer.counts[part],
        "Group": [shorten(title, _TITLE) for title in events["title"]],
        "Days": list(map(_between, events["first"], events["last"])),
    }
    row = choose_row(table, key=f"archive-groups-{_digest()}-{part.start}", **TABLES["groups"])
    if row is not None:
        select_group(int(events["group"].iloc[row]))
        st.rerun()


def headlines_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if not len(answer.rows):
        notice("archive_empty")
        return
    st.header("Headlines", anchor=False)
    rows = archive.table(answer.rows[_page(len(answer.rows), 25, "headlines")])
    links = rows[Field.URL.value].map(safe_link)
    names = Field.PUBLISHED.value, Field.HEADLINE.value, Field.PUBLISHER.value, "archive_group"
    table = dict(zip(("Published, UTC", "Headline", "Outlet", "Group"), map(rows.get, names), strict=True))
    columns = headline_columns("Published, UTC", format="D MMM YYYY, HH:mm", timezone="UTC", width=150)
    if links.notna().any():
        table["Link"] = links
    show_table(table, alt="Headlines of what is selected, by date", most=960, columns=columns)
    now = ARCHIVE.now()
    event = archive.place_of(now.group)
    title = now.words or archive.path.name if event is None else archive.events["title"].iloc[event]

    def csv() -> str:
        whole = archive.table(answer.rows)
        texts = whole.astype(object).where(whole.notna(), None)
        return delimited([list(whole.columns), *texts.itertuples(index=False)])

    download(("Download CSV", csv, f"{stem(title, 'archive')}.csv"), key="archive-csv")


def _page(count: int, at_once: int, of: str) -> slice:
    pages = math.ceil(count / at_once)
    page = st.pagination(pages, key=f"archive-page-{of}-{_digest()}") if pages > 1 else 1
    return slice((page - 1) * at_once, min(page * at_once, count))


def _digest() -> str:
    return digest(f"{ARCHIVE.now().archive} {ARCHIVE.now().query!r}", digits=12)


def _between(first: pd.Timestamp, last: pd.Timestamp) -> str:
    return "–" if pd.isna(first) else Period(first.date(), last.date()).words
