"""The Archive page: which archive, what is selected of it, the map, and lists."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components.archive.lists import groups_list, headlines_list, selection_card
from components.archive.map import picture_map, points_map
from components.archive.state import ARCHIVE, WORDS
from components.markdown import plain
from components.page_state import controlled, controlled_days, follow, write_address
from core.archive.opened import OpenArchive, is_shared, kept_archives, open_archive
from core.data.timelines.dates import FIRST_NEWS
from core.errors import CoreError
from core.results.render import count_words
from core.runtime import workshop

_OUTLETS: Final = 500  # in the list of the filter, those with most headlines


def archive_view() -> None:
    follow(ARCHIVE.part())
    archives = {name: path for name, path in kept_archives().items() if not workshop() or is_shared(path)}
    wanted = ARCHIVE.now().archive
    chosen = wanted if wanted in archives else _first_that_opens(archives)
    if not wanted:
        ARCHIVE.put(archive=chosen)  # it stays open when another is changed, and links name it
    write_address(ARCHIVE.part())
    if not chosen:
        if workshop():
            said = "No archive is shown here yet.", "The person who runs this server can share one"
            command = "headline-lab archive FILE --shared"
        else:
            said = "No archive yet.", "Months of news become one with this command"
            command = "headline-lab archive FILE"
        st.info(f"**{said[0]}**  \n{said[1]}: `{command}`.", icon=":material/inventory:")
        return
    if wanted not in {"", chosen}:
        st.warning(
            f"There is no archive **{plain(wanted)}** here; this is **{plain(chosen)}**.",
            icon=":material/info:",
        )
    bar = st.container(horizontal=True, vertical_alignment="bottom", key="archive-bar")
    with bar:
        if len(archives) > 1:
            st.selectbox(
                "Archive",
                list(archives),
                label_visibility="collapsed",
                width=220,
                **controlled("archive-name", chosen, _open),
            )
        else:
            st.markdown(f"**{plain(chosen)}**", width="content")
    archive = open_archive(archives[chosen])
    answer = archive.ask(ARCHIVE.now().query)
    left, right = st.columns([5, 3], gap="medium")
    with left, st.container(key="archive-map"):
        if ARCHIVE.now().picture:
            picture_map(archive, answer)
        else:
            points_map(chosen, archive, answer)
    # After the map: the first who asks for outlets and days waits until the texts are read.
    with bar:
        _search(archive)
        with st.popover("Filters", icon=":material/tune:"):
            _filters(archive)
    with right:
        selection_card(archive, answer)
        groups_list(archive, answer)
    headlines_list(archive, answer)


def _first_that_opens(archives: dict[str, Path]) -> str:
    for name, path in archives.items():
        with suppress(CoreError):
            open_archive(path)
            return name
    return next(iter(archives), "")


def _search(archive: OpenArchive) -> None:
    st.text_input(
        "Search",
        placeholder=f"Search {count_words(len(archive), 'headline', 'headlines')}",
        icon=":material/search:",
        label_visibility="collapsed",
        **controlled(
            "archive-words",
            ARCHIVE.now().words,
            lambda given: ARCHIVE.put(words=(given or "").strip()[:WORDS], group=0),
        ),
    )


def _filters(archive: OpenArchive) -> None:
    outlets = archive.outlets[:_OUTLETS]
    chosen = ARCHIVE.now().outlet
    if chosen and chosen not in outlets:
        outlets = [chosen, *outlets]
    if len(outlets) > 1:
        st.selectbox(
            "Outlet",
            outlets,
            index=None,
            placeholder="Any",
            **controlled(
                "archive-outlet", chosen or None, lambda name: ARCHIVE.put(outlet=name or "", group=0)
            ),
        )
    if archive.span is not None:
        first, last = archive.span
        now = ARCHIVE.now()
        begin, end = (min(max(day, first), last) for day in (now.first or first, now.last or last))
        st.date_input(
            "Days",
            min_value=first,
            max_value=last,
            **controlled_days(
                f"archive-days-{first}-{last}", (begin, end), partial(_choose_days, (first, last))
            ),
        )
        if archive.misdated:
            said = count_words(archive.misdated, "headline is", "headlines are")
            st.caption(f"{said} dated before {FIRST_NEWS} or in the future; no days reach there.")
    st.toggle(
        "Map as a picture",
        help="For browsers without WebGL; an area is given in numbers.",
        **controlled("archive-picture", ARCHIVE.now().picture, lambda chosen: ARCHIVE.put(picture=chosen)),
    )


def _choose_days(whole: tuple[date, date], *days: date) -> None:
    first, last = (None, None) if days == whole else days
    ARCHIVE.put(first=first, last=last, group=0)


def _open(name: str) -> None:
    picture = ARCHIVE.now().picture
    ARCHIVE.reset()
    ARCHIVE.put(archive=name, picture=picture)
