"""Headlines compared with their articles, out of the background and once for everybody who asks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from components import jobs
from components.numerals.subject import Subject
from core.numerals.checking import Checker, load_checker
from core.numerals.filling import Filler, load_filler
from core.numerals.provenance import CheckedHeadline
from core.runtime import Runtime


@st.cache_resource(show_spinner=False)
def checker(_runtime: Runtime) -> Checker:
    """The checker of this server, loaded by whoever asks first.

    Raises:
        ModelUnavailableError: Its weights are not on this machine.
    """
    return load_checker(None, _runtime)


@st.cache_resource(show_spinner=False)
def filler(_runtime: Runtime) -> Filler:
    """What fills blanks on this server, loaded by whoever asks first.

    Raises:
        ModelUnavailableError: Its weights are not on this machine.
    """
    return load_filler(None, _runtime)


def checked_article(subject: Subject) -> CheckedHeadline | None:
    """The open headline, checked; None, with its progress drawn, until it is known.

    All headlines of the article are checked together, so that going from one to the next takes no time.
    """
    lines = [one.headline for one in subject.lines]
    found = check_together(lines, subject.text)
    return None if found is None else found[subject.at]


def check_together(headlines: Sequence[str], text: str) -> list[CheckedHeadline] | None:
    """Several headlines of one article; None, with its progress drawn, until they are known.

    Raises:
        CoreError: They cannot be checked.
    """

    def work(runtime: Runtime) -> list[CheckedHeadline]:
        return checker(runtime).check(headlines, [text] * len(headlines), runtime)

    return jobs.finished(f"numerals|{digest(text, *headlines)}", "Reading the numbers", work, long=False)


def digest(*texts: str) -> str:
    """16 hex digits over texts."""
    return hashlib.sha256(repr(texts).encode("utf-8", errors="surrogatepass")).hexdigest()[:16]
