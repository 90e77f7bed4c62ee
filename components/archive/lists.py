"""What is selected of an archive: its card, its groups and its headlines, page by page."""

import math
from functools import partial
from hashlib import blake2b
from typing import Final

import pandas as pd
import streamlit as st

from components import resources
from components.archive.state import ARCHIVE
from components.buttons import button
from components.markdown import plain, shorten
from components.page import download, stem
from components.tables import choose_row, metrics, show_table
from core import limits
from core.archive.opened import ArchiveAnswer, OpenArchive
from core.data.timelines.timeline import Field, Period, datable
from core.results.render import delimited, safe_link

_GROUPS: Final = 10
_HEADLINES: Final = 25
_TITLE: Final = 140


def selection_card(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    """What is selected, in figures, and what can be done with it."""
    now = ARCHIVE.now()
    event = archive.place_of(now.group)
    found = len(answer.rows)
    if event is not None:
        one = archive.events.iloc[event]
        title = shorten(one["title"], _TITLE)
        figures = [("Headlines", f"{found:,}", None), ("Outlets", f"{one['outlets']:,}", None)]
    else:
        title = "All headlines" if found == len(archive) else "What you selected"
        figures = [("Headlines", f"{found:,}", None), ("Groups", f"{len(answer.groups):,}", None)]
    st.header(plain(title), anchor=False)
    metrics([*figures, ("Days", _days(archive, answer), None)], key="archive-figures")
    with st.container(horizontal=True, key="archive-actions"):
        if found:
            _open_as_timeline(archive, answer, title)
            name = stem(title if event is not None else now.words or archive.path.name, "archive")
            download(("Download CSV", partial(_csv, archive, answer), f"{name}.csv"), key="archive-csv")
        if now.query != type(now)().query:
            fields = "words", "outlet", "first", "last", "group", "lasso"
            clear = partial(ARCHIVE.reset, *fields)
            button("Clear the selection", "archive-clear", clear, icon="close", type="tertiary")


def _open_as_timeline(archive: OpenArchive, answer: ArchiveAnswer, title: str) -> None:
    most = limits.FILE_ROWS.value
    few = len(answer.rows) <= most
    help = None if few else f"A timeline holds {most:,} headlines: select fewer."
    if button("Open as a Timeline", "archive-open", icon="view_timeline", disabled=not few, help=help):
        name = archive.path.name if len(answer.rows) == len(archive) else title
        resources.open_file(archive.timeline(answer.rows, name))
        st.switch_page("pages/timeline.py")


def groups_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    """The groups of what is selected, those with most of its headlines first; choosing one selects it."""
    if ARCHIVE.now().group or not len(answer.groups):
        return
    part = _page(len(answer.groups), _GROUPS, "groups")
    events = archive.events.iloc[answer.groups[part]]
    table = pd.DataFrame(
        {
            "Headlines": answer.counts[part],
            "Group": [shorten(title, _TITLE) for title in events["title"]],
            "Days": [
                _between(first, last) for first, last in zip(events["first"], events["last"], strict=True)
            ],
        }
    )
    key = f"archive-groups-{_digest()}-{part.start}"
    row = choose_row(
        table, key=key, alt="Groups, the largest first; choose one", columns={"Headlines": 85, "Group": 205}
    )
    if row is not None:
        ARCHIVE.reset("words", "outlet", "first", "last", "lasso")
        ARCHIVE.put(group=int(events["group"].iloc[row]))
        st.rerun()


def headlines_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if not len(answer.rows):
        st.info(
            "No headline is like that. Search other words, or clear the selection.",
            icon=":material/search_off:",
        )
        return
    st.header("Headlines", anchor=False)
    part = _page(len(answer.rows), _HEADLINES, "headlines")
    rows = archive.table(answer.rows[part])
    links = rows[Field.URL.value].map(safe_link)
    table = pd.DataFrame(
        {
            "Published, UTC": rows[Field.PUBLISHED.value],
            "Headline": rows[Field.HEADLINE.value],
            "Outlet": rows[Field.PUBLISHER.value],
            "Group": rows["archive_group"],
        }
    )
    columns = {
        "Published, UTC": st.column_config.DatetimeColumn(
            format="D MMM YYYY, HH:mm", timezone="UTC", width=150
        ),
        "Headline": st.column_config.Column(width="large"),
    }
    if links.notna().any():
        table["Link"] = links
        columns["Link"] = st.column_config.LinkColumn(display_text="open", width=70)
    show_table(table, alt="Headlines of what is selected, by date", most=960, columns=columns)


def _page(count: int, at_once: int, of: str) -> slice:
    pages = math.ceil(count / at_once)
    page = 1
    if pages > 1:
        page = st.pagination(pages, key=f"archive-page-{of}-{_digest()}")
    return slice((page - 1) * at_once, min(page * at_once, count))


def _digest() -> str:
    now = ARCHIVE.now()
    return blake2b(f"{now.archive} {now.query}".encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _days(archive: OpenArchive, answer: ArchiveAnswer) -> str:
    dated = answer.rows[answer.rows < len(archive.days)]
    dated = dated[datable(archive.days[dated])]
    if not len(dated):
        return "–"
    published = archive.table(dated[[0, -1]])[Field.PUBLISHED.value]
    return _between(*published)


def _between(first: pd.Timestamp, last: pd.Timestamp) -> str:
    return "–" if pd.isna(first) else Period(first.date(), last.date()).words


def _csv(archive: OpenArchive, answer: ArchiveAnswer) -> str:
    table = archive.table(answer.rows)
    texts = table.astype(object).where(table.notna(), None)
    return delimited([list(table.columns), *texts.itertuples(index=False)])
