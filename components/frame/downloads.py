"""Buttons that save files, which are made when they are pressed."""

import re
from collections.abc import Callable
from mimetypes import guess_type

import streamlit as st

from components.frame.markdown import HELPS
from core.errors import CoreError

Saved = tuple[str, Callable[[], bytes | str], str] | tuple[str, Callable[[], bytes | str], str, str]
"""What a button saves: its label, what makes it, the file's name, whose ending says what it is, and help."""


def failed_downloads() -> list[str]:
    """What this session is to be told of its downloads: `fix` has the page drawn when one fails."""
    return st.session_state.setdefault("failed_downloads", [])


def download(saved: Saved, *, key: str, type: str = "secondary", disabled: bool = False) -> None:
    label, make, file, *help = saved
    failures = failed_downloads()

    def made() -> bytes | str:
        try:
            return make()
        except Exception as error:
            cause = f"{error.message} {error.advice}" if isinstance(error, CoreError) else ""
            failures.append(f"{file} could not be made. {cause or 'The log of the server says why.'}")
            raise

    mime = guess_type(file)[0] or "application/octet-stream"
    look = {"icon": ":material/download:", "type": type, "disabled": disabled, "on_click": "ignore"}
    st.download_button(label, made, file, mime, key=key, help=help[0] if help else HELPS.get(key), **look)


def downloads(*files: Saved, key: str) -> None:
    """Draws buttons in a row; each widget's key is `key` and what its file's name ends with."""
    with st.container(horizontal=True, key=key):
        for place, saved in enumerate(files):
            download(saved, key=f"{key}-{place}-{saved[2].rpartition('.')[2]}")


def stem(name: str, otherwise: str) -> str:
    """The beginning of a file's name after something that people named."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:40].lower() or otherwise
