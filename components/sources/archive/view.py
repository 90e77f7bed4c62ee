"""Archive: which archive, what is selected of it, and its map: in the browser, or as a picture."""

from concurrent.futures import wait
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import streamlit as st

from components.frame import progress
from components.frame.charts.theme import ink, is_dark
from components.frame.controlled import controlled, controlled_days
from components.frame.errors import errors_kept, errors_shown, show_error, show_kept_error
from components.frame.markdown import plain
from components.frame.page_state import follow, write_address
from components.frame.point_map import point_map
from components.frame.widgets import button, choose_here, search
from components.opened.reader_zone import reader_zone
from components.opened.views.archive import ARCHIVE, MOST_CHARACTERS
from components.sources.archive.routes import PATH
from components.sources.archive.searches import named, saved
from components.sources.archive.selection import groups_list, headlines_list, select_group, selection_card
from core import limits
from core.archive import kept, opened, points, resuming
from core.archive.picture import picture
from core.data.timelines import samples
from core.errors import CoreError
from core.results.render import count_words
from core.runtime import workshop

_MAKING: Final = "archive-making"  # in the session: file and name of an archive, and that of its beginning
_OUTLETS: Final = 500  # in the list of the filter, those with most headlines


def archive_view() -> None:
    follow(ARCHIVE.part())
    show_kept_error()
    _making()
    _unfinished()
    archives = archives_here()
    wanted = ARCHIVE.now().archive
    chosen = wanted if wanted in archives else _first_that_opens(archives)
    if not wanted:
        ARCHIVE.put(archive=chosen)  # it stays open when another is changed, and links name it
    write_address(ARCHIVE.part())
    if wanted not in {"", chosen}:
        said = f"There is no archive **{plain(wanted)}** here; this is **{plain(chosen)}**."
        st.warning(said, icon=":material/info:")
    with (bar := st.container(horizontal=True, vertical_alignment="center", key="archive-bar")):
        if len(archives) > 1:
            titles = {name: archive_title(name, path) for name, path in archives.items()}
            # By a key of its own: a browser that still shows another would send that with the next press.
            choose_here("Archive", titles, titles, f"archive-here-{chosen}", chosen, _open, width=320)
        else:
            st.markdown(f"**{plain(archive_title(chosen, archives[chosen]))}**", width="content")
    archive = opened.open_archive(archives[chosen])
    answer, count = _answer(archive), count_words(len(archive), "headline", "headlines")
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key="archive-map"):
        if ARCHIVE.now().picture:
            picture_map(archive, answer)
        else:
            base, lasso = f"{PATH}/{quote(chosen, safe='')}/{archive.version}", list(ARCHIVE.now().lasso)
            addresses = {"points": f"{base}/points", "names": f"{base}/names", "place": base}
            addresses["text"] = f"{base}/{reader_zone()}"
            label = f"Map of {count}. The lists beside and below hold the same."
            looks = {"label": label, "found": len(answer.rows), "lasso": lasso, "follows": True}
            point_map(
                key="archive-points",
                data=addresses | looks,
                bits=archive.marked(answer) if len(answer.rows) < len(archive) else b"",
                choose=partial(_choose, archive),
                surround=lambda lasso: _select(lasso=lasso),
                picture=lambda: ARCHIVE.put(picture=True),
            )
    # After the map: the first who asks for outlets and days waits until the texts are read.
    with bar:
        look = {"take": lambda given: _select(words=given.strip()[:MOST_CHARACTERS])}
        search("Search headlines", "archive-words", ARCHIVE.now().words, icon=":material/search:", **look)
        if archive.has_meaning:
            st.toggle("By meaning", **ARCHIVE.widget("meaning", "archive-meaning"))
        filters = st.popover("Filters", icon=":material/tune:", key="archive-filters", on_change="rerun")
        with filters:
            _filters(archive)
            if filters.open:  # reading the names of a selection takes a moment
                named(archive, answer)
                saved()
        if not workshop():
            _own(len(archives))
    with right:
        selection_card(archive, answer)
        groups_list(archive, answer)
    with right if ARCHIVE.now().group else st.container():
        headlines_list(archive, answer)


def archives_here() -> dict[str, Path]:
    shown = kept.shown_archives()
    return {name: path for name, path in shown.items() if not workshop() or kept.is_shared(path)}


def archive_title(name: str, path: Path) -> str:
    return samples.info("uci").title if path == kept.SHIPPED else name


def _own(there: int) -> None:
    # By another key once one is made: it closes.
    making = bool(st.session_state.get(_MAKING, ("",))[0])
    add = st.popover("Your own archive", icon=":material/add:", key=f"archive-add-{there}-{making}")
    with add, errors_shown("Archive"), st.form("archive-own", border=False):
        st.markdown(f"For months of news: up to {limits.ARCHIVE_HEADLINES.value:,} headlines with dates.")
        sent = st.file_uploader("A CSV or Parquet file", key=f"archive-upload-{there}")
        given = st.text_input("Path of a larger one on this computer").replace("\0", "").strip()
        made = st.form_submit_button("Make the archive", type="primary", icon=":material/inventory:")
        st.caption("In a terminal: `headline-lab archive FILE`")
        if made and not (sent or given):
            st.error("Choose a file, or give the path of one.")
        elif made:
            path = str(kept.keep_upload(sent, sent.name, sent.size)) if sent else given
            st.session_state[_MAKING] = path, kept.free_name(Path(path)), None
            st.rerun()


def _making() -> None:
    given, name, first = st.session_state.get(_MAKING, ("", "", None))
    if not given or workshop():
        return
    path, made, begins = Path(given), None, first is None
    try:
        out = kept.archives_folder() / name
        key = f"archive-{begins}-{given}-{out}"
        if job := progress.stopped(key):
            wait([job.future], timeout=5)  # for `_unfinished` to say how far it came
            kept.forget_upload(path, out)
            del st.session_state[_MAKING]
            return
        said = f"Making the archive {out.name}" + (f", of which {first} is the beginning" if first else "")
        made = progress.finished(key, said, partial(resuming.beginning_or_all, path, out, first), long=True)
    except CoreError as error:
        del st.session_state[_MAKING]
        show_error(error)
    if made is None:
        return
    st.session_state[_MAKING] = (given, name, made) if begins else ("", "", None)
    if made:
        _open(made)
    _making()


def _unfinished() -> None:
    for name, file, how_far in () if workshop() else resuming.unfinished(kept.archives_folder()):
        st.info(f"**The archive {plain(name)} is not finished.** {how_far}", icon=":material/stop_circle:")
        with st.container(horizontal=True):
            if file.is_file():
                resume = partial(st.session_state.__setitem__, _MAKING, (str(file), name, None))
                button("Resume", f"archive-resume-{name}", resume, icon="play_arrow")
            delete = partial(errors_kept()(resuming.remove_unfinished), kept.archives_folder() / name)
            button("Delete it", f"archive-delete-{name}", delete, icon="delete")


def _first_that_opens(archives: dict[str, Path]) -> str:
    for name, path in archives.items():
        with suppress(CoreError):
            opened.open_archive(path)
            return name
    return next(iter(archives), "")


def _answer(archive: opened.OpenArchive) -> opened.ArchiveAnswer:
    query = ARCHIVE.now().query
    if not query.meaning:
        return archive.ask(query)
    if not archive.has_meaning:
        st.warning("This archive cannot be searched by meaning: its words are.", icon=":material/info:")
        return archive.ask(replace(query, meaning=False))
    work, key = partial(archive.nearness, query.words), f"meaning|{archive.path}|{archive.version}|"
    near = progress.result_of(f"{key}{query.words}", "Comparing meanings", work, long=False)
    return archive.ask(query, near)


def _filters(archive: opened.OpenArchive) -> None:
    outlets = archive.outlets[:_OUTLETS]
    chosen = ARCHIVE.now().outlet
    if chosen and chosen not in outlets:
        outlets = [chosen, *outlets]
    if len(outlets) > 1:
        take = controlled("archive-outlet", chosen or None, lambda name: _select(outlet=name or ""))
        st.selectbox("Outlet", outlets, index=None, placeholder="Any", **take)
    if archive.span is not None:
        first, last = archive.span
        now = ARCHIVE.now()
        begin, end = (min(max(day, first), last) for day in (now.first or first, now.last or last))

        def choose(*days: date) -> None:
            begins, ends = (None, None) if days == (first, last) else days
            _select(first=begins, last=ends)

        take = controlled_days(f"archive-days-{first}-{last}", (begin, end), choose)
        st.date_input("Days", min_value=first, max_value=last, **take)
    st.toggle("Map as a picture", **ARCHIVE.widget("picture", "archive-picture"))


def _select(**values: Any) -> None:
    ARCHIVE.put(**values, group=0)


def _open(name: str) -> None:
    picture = ARCHIVE.now().picture
    ARCHIVE.reset()
    ARCHIVE.put(archive=name, picture=picture)


def _choose(archive: opened.OpenArchive, point: int) -> None:
    if point == -1:
        select_group(0)
    elif 0 <= point < len(archive):
        row = archive.order[point]
        with suppress(CoreError):  # the page says what is wrong
            archive = opened.open_archive(archive.path)
            if row < len(archive):
                select_group(int(archive.groups[row]))


def picture_map(archive: opened.OpenArchive, answer: opened.ArchiveAnswer) -> None:
    drawn = picture(archive, answer, 720, dark=is_dark(), paper=ink().paper)
    said = count_words(len(answer.rows), "headline", "headlines")
    st.image(drawn, width="stretch", alt=f"Map with {said} selected; the lists hold the same headlines")
    x, y = zip(*(ARCHIVE.now().lasso or ((0, 0), (points.SPAN, points.SPAN))), strict=True)
    ends = {"Left": min(x), "Right": max(x), "Bottom": min(y), "Top": max(y)}
    with st.form("archive-area", border=False):
        st.caption(
            "To select an area of the picture, give its ends in percent, from the left and the bottom:"
        )
        for column, (side, at) in zip(st.columns(4), ends.items(), strict=True):
            value = round(100 * at / points.SPAN)
            given = column.number_input(side, 0, 100, value, key=f"archive-{side}-{value}")
            ends[side] = round(given * points.SPAN / 100)
        if st.form_submit_button("Select the area", icon=":material/select:"):
            left, right, bottom, top = ends.values()
            _select(lasso=((left, bottom), (right, bottom), (right, top), (left, top)))
            st.rerun()
