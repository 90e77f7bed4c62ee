"""Download buttons: what a file is called and holds; it is made when its button is pressed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import streamlit as st

from components.page import failed_downloads
from core.errors import CoreError

MIME: Final = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tex": "text/x-tex",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


@dataclass(frozen=True, slots=True)
class Download:
    """One button.

    Attributes:
        label: On it.
        make: Makes what is in the file.
        file: Its name; the ending says what it is.
        help: One sentence, "" for none.
    """

    label: str
    make: Callable[[], bytes | str]
    file: str
    help: str = ""


def download(
    one: Download,
    *,
    key: str,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    disabled: bool = False,
) -> None:
    """Draws one button; where its file cannot be made, the page says so."""
    st.download_button(
        one.label,
        partial(_made, one, failed_downloads()),
        one.file,
        MIME[one.file.rpartition(".")[2]],
        key=key,
        icon=":material/download:",
        on_click="ignore",
        type=type,
        disabled=disabled,
        help=one.help or None,
    )


def _made(one: Download, failures: list[str]) -> bytes | str:
    """Makes the file in a thread of the server, which logs what is raised."""
    try:
        return one.make()
    except Exception as error:
        cause = f"{error.message} {error.hint}" if isinstance(error, CoreError) else ""
        failures.append(f"{one.file} could not be made. {cause or 'The log of the server says why.'}")
        raise


def downloads(*buttons: Download, key: str) -> None:
    """Draws buttons in a row; each widget's key is `key` and what its file's name ends with."""
    with st.container(horizontal=True, key=key):
        for place, one in enumerate(buttons):
            download(one, key=f"{key}-{place}-{one.file.rpartition('.')[2]}")


def stem(name: str, otherwise: str) -> str:
    """The beginning of a file's name after something that people named."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:40].lower() or otherwise
