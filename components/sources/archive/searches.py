"""What narrows an archive further: names that the selection has most, and searches that were saved."""

from functools import partial
from typing import Final

import msgspec
import streamlit as st

from components.frame.errors import errors_kept
from components.frame.markdown import spoken
from components.frame.widgets import button
from components.opened.own_file import keep_file, own_file
from components.opened.views.archive import ARCHIVE, MOST_CHARACTERS
from core.archive.named import READ, most_named
from core.archive.opened import ArchiveAnswer, OpenArchive
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line, searched

_FILE: Final = "archive_searches.json"
_MOST: Final = 50
_SAVED: Final = tuple(name for name in ARCHIVE.links if name != "picture")
Searches = dict[str, dict[str, str]]
"""By their names, what they ask: values as they stand in a link, by the name of their field."""


def named(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    """Draws the names that the selection has most; a click searches for one as well."""
    words = ARCHIVE.now().words
    asked = set(searched(words).split())
    for kind, names in most_named(archive, answer).items():
        others = {
            name: count
            for name, count in names
            if not set(searched(name).split()) <= asked and len(f"{words} {name}".strip()) <= MOST_CHARACTERS
        }
        if others:
            st.caption(f"{kind}, of {min(len(answer.rows), READ):,} headlines")
            with st.container(horizontal=True, gap="xsmall"):
                for name, count in others.items():
                    more = f"{words} {name}".strip()
                    put = partial(ARCHIVE.put, words=more, group=0)
                    button(f"{spoken(name)} ({count:,})", f"archive-name-{name}", put, type="tertiary")


def saved() -> None:
    """Draws the searches that were saved, and the field that saves this one."""
    searches = _read()
    for name, values in searches.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            button(spoken(name), f"archive-saved-{name}", _open, values, icon="bookmark")
            button("Delete", f"archive-forget-{name}", _forget, name, icon="delete", type="tertiary")
    if ARCHIVE.now().query != type(ARCHIVE.now())().query:
        with st.form("archive-save", border=False, clear_on_submit=True):
            look = {"max_chars": 60, "placeholder": ARCHIVE.now().words}
            name = st.text_input("Save this search as", key="archive-save-name", **look)
            if st.form_submit_button("Save", icon=":material/bookmark_add:"):
                with errors_kept():
                    _save(clean_line(name) or ARCHIVE.now().words)
                st.rerun()


def _read() -> Searches:
    try:
        return msgspec.json.decode(own_file(_FILE) or b"{}", type=Searches)
    except msgspec.MsgspecError:
        said = "The saved searches cannot be read."
        raise DataSourceError(said, hint=f"Remove {_FILE} from the user's folder.") from None


def _save(name: str) -> None:
    searches = _read()
    if not name or (len(searches) >= _MOST and name not in searches):
        said = f"A saved search has a name, and there are at most {_MOST}."
        raise InputError(said, hint="Give a name, or delete a search.")
    values = {
        each: ARCHIVE.links[each].write(getattr(ARCHIVE.now(), each)) for each in _SAVED if _given(each)
    }
    keep_file(_FILE, msgspec.json.encode(searches | {name: values}))


def _given(name: str) -> bool:
    return getattr(ARCHIVE.now(), name) != getattr(type(ARCHIVE.now())(), name)


@errors_kept()
def _open(values: dict[str, str]) -> None:
    try:
        given = {name: ARCHIVE.links[name].read(value) for name, value in values.items() if name in _SAVED}
    except ValueError:
        raise DataSourceError("This search cannot be read.", hint="Delete it and save it again.") from None
    ARCHIVE.reset(*_SAVED)
    ARCHIVE.put(**given)


@errors_kept()
def _forget(name: str) -> None:
    keep_file(_FILE, msgspec.json.encode({each: of for each, of in _read().items() if each != name}))
