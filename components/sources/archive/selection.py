"""What is selected of an archive: its card, its groups and its headlines."""

import math
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import pandas as pd
import streamlit as st

from components.frame.downloads import download, stem
from components.frame.markdown import plain, quiet, shorten
from components.frame.point_map import map_lines
from components.frame.widgets import button, notice
from components.opened import resources
from components.opened.reader_zone import said_here
from components.opened.views.archive import ARCHIVE, MOST_CHARACTERS
from core import limits
from core.archive.opened import ArchiveAnswer, OpenArchive
from core.data.timelines.periods import Period
from core.data.timelines.timeline import Field
from core.digests import digest
from core.results.delimited import delimited
from core.results.render import count_words, moment, safe_link

_TITLE: Final = 140
_GROUPS: Final = 10  # lines of their list, as many as the map has numbers
_LISTED: Final = 6  # headlines of a group, as high as the map
_READ: Final = 24  # headlines at once below it
_OF_ADDRESSES: Final = "%:/?#[]@!$&'()*+,;=~"  # what markdown reads as an end is none of them


def select_group(group: int) -> None:
    ARCHIVE.reset("words", "outlet", "first", "last", "lasso")
    ARCHIVE.put(group=group)


def selection_card(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    now = ARCHIVE.now()
    event, count = archive.place_of(now.group), len(answer.rows)
    selected = "Nearest in meaning" if now.query.meaning else "What you selected"
    title = "All headlines" if count == len(archive) and not now.query.meaning else selected
    others = count_words(len(answer.groups), "group", "groups")
    if event is not None:
        chosen = archive.events.iloc[event]
        title, others = shorten(chosen["title"], _TITLE), count_words(chosen["outlets"], "outlet", "outlets")
    with st.container(horizontal=True, vertical_alignment="center", key="archive-actions"):
        st.header(plain(title), anchor=False)
        if count:
            _open_button(archive, answer, title)
        if event is not None and archive.has_meaning:
            like = {"words": title[:MOST_CHARACTERS], "meaning": True, "group": 0}
            button("More like this", "archive-like", partial(ARCHIVE.put, **like), icon="search")
        if now.query != type(now)().query:  # anything is selected
            clear = partial(select_group, 0)
            button("Clear the selection", "archive-clear", clear, icon="close", type="tertiary")
    dated = answer.rows[answer.rows < len(archive.days)]
    days = _period_words(*archive.table(dated[[0, -1]])[Field.PUBLISHED.value]) if len(dated) else "–"
    facts = [count_words(count, "headline", "headlines"), others, days]
    if count == len(archive):
        known = (("level", "granularity"), ("match with human groups", "ami"))
        facts += [f"{said} {archive.summary[name]:.2f}" for said, name in known if name in archive.summary]
    st.markdown(" · ".join(facts))
    if answer.far:
        notice("archive_far")


def _open_button(archive: OpenArchive, answer: ArchiveAnswer, title: str) -> None:
    count, limit = len(answer.rows), limits.FILE_ROWS.value
    hint = None if count <= limit else f"A timeline holds {limit:,} headlines: select fewer."
    options = {"icon": "view_timeline", "disabled": count > limit, "help": hint}
    if button("Open as a Timeline", "archive-open", **options):
        whole = archive.path.name if count == len(archive) else title
        resources.open_file(archive.timeline(answer.rows, whole))
        st.switch_page("pages/timeline.py")


def groups_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if ARCHIVE.now().group or not len(answer.groups):
        return
    shown = st.container()
    part = _page_of_rows(len(answer.groups), _GROUPS, "groups")
    events = archive.events.iloc[answer.groups[part]]
    days = list(map(_period_words, events["first"], events["last"]))
    if len({day[-5:] for day in days} - {"–"}) == 1:  # the year stands above
        days = [day[:-5] or day for day in days]
    groups = zip(answer.groups[part], events["title"], answer.counts[part], days, strict=True)
    lines = [
        (int(place) + 1, shorten(title, _TITLE), f"{count_words(int(count), 'headline', 'headlines')}\n{day}")
        for place, title, count, day in groups
    ]
    key = f"archive-groups-{_selection_digest()}-{part.start}"
    with shown:
        map_lines(lines, key=key, choose=lambda at: select_group(int(events["group"].iloc[at])))


def headlines_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if not len(answer.rows):
        notice("archive_empty")
        return
    now = ARCHIVE.now()
    event = archive.place_of(now.group)
    if event is None:
        st.header("Headlines", anchor=False)
    lines = st.container(key="archive-lines")
    part = _page_of_rows(len(answer.listed), _READ if event is None else _LISTED, "headlines")
    lines.markdown("\n".join(map(_line, _known(archive.table(answer.listed[part])).to_dict("records"))))
    title = now.words or archive.path.name if event is None else archive.events["title"].iloc[event]

    def csv() -> str:
        whole = _known(archive.table(answer.listed))
        return delimited([list(whole.columns), *whole.itertuples(index=False)])

    download(("Download CSV", csv, f"{stem(title, 'archive')}.csv"), key="archive-csv")


def _line(row: dict[str, Any]) -> str:
    """A headline, which leads to its report, over its outlet and when it came."""
    outlet, when, link = (row.get(field.value) for field in (Field.PUBLISHER, Field.PUBLISHED, Field.URL))
    said = plain(row[Field.HEADLINE.value])
    if address := safe_link(link):
        said = f"[{said}](<{quote(address, safe=_OF_ADDRESSES)}>)"
    if when is not None:
        when = moment(when) if f"{when:%H:%M}" == "00:00" else said_here(when)  # a midnight is a day alone
    return f"- {said}  \n  {quiet(outlet, when)}"


def _known(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows, with None where nothing is known."""
    return rows.astype(object).where(rows.notna(), None)


def _page_of_rows(count: int, at_once: int, list_name: str) -> slice:
    pages = math.ceil(count / at_once)
    page = st.pagination(pages, key=f"archive-page-{list_name}-{_selection_digest()}") if pages > 1 else 1
    return slice((page - 1) * at_once, min(page * at_once, count))


def _selection_digest() -> str:
    return digest(f"{ARCHIVE.now().archive} {ARCHIVE.now().query!r}", digits=12)


def _period_words(first: pd.Timestamp, last: pd.Timestamp) -> str:
    return "–" if pd.isna(first) else Period(first.date(), last.date()).words
