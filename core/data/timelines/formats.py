"""Formats that outlets repeat and that report no event: live blogs, briefings, horoscopes and the like."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import FloatArray
from core.data.timelines.addresses import Address
from core.files import read_tables
from core.results.render import count_words
from core.text.desk_marks import label_end
from core.text.normalise import comparison_key

if TYPE_CHECKING:
    import pandas as pd

REPEATED: Final = "repeated title"
_TABLES: Final = read_tables(__file__)
_STAND_FOR: Final[dict[str, str]] = _TABLES["stand_for"]
_WRITTEN: Final = re.compile("|".join(_STAND_FOR))
_TITLES: Final = {
    name: re.compile(
        "|".join(_WRITTEN.sub(lambda word: _STAND_FOR[word[0]], form) for form in forms), re.IGNORECASE
    )
    for name, forms in _TABLES["titles"].items()
}
_SECTIONS: Final = {word: name for name, words in _TABLES["sections"].items() for word in words.split()}
_SECTION_COLUMNS: Final = frozenset(_TABLES["columns"]["sections"].split())
_DAY_WORD: Final = rf"(?:{_TABLES['days']['words']})"
_ISSUE_OR_DAY: Final = re.compile(
    rf"\b{_TABLES['days']['issue']}"
    rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th|er|º)?\.?\s+(?:de\s+)?)?{_DAY_WORD}\b\.?(?:\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?![/.]\d))?"
    r"|\b\d{1,2}\.\d{1,2}\.(?:\d{2,4}\b)?|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_CALLED: Final[dict[str, list[str]]] = _TABLES["called"]
_DAYS_APART: Final = ((1.0, 4), (7.0, 3))  # days from one to the next, and how many make a series


def recurring_formats(
    texts: Sequence[str], original: "pd.DataFrame", addresses: Sequence[Address],
    outlets: Sequence[str | None], days: FloatArray,
) -> tuple[str, ...]:  # fmt: skip
    """The format of each headline; "" for a report."""
    formats = [_by_title(text) for text in texts]
    columns = [name for name in map(str, original.columns) if name.casefold() in _SECTION_COLUMNS]
    sections = [original[name].tolist() for name in columns]
    for row, address in enumerate(addresses):
        formats[row] = formats[row] or _by_address(address)
        for section in sections:
            value = section[row]
            formats[row] = formats[row] or (_SECTIONS.get(value.strip().casefold(), "") if value else "")
    for row in _series(texts, outlets, days):
        formats[row] = formats[row] or REPEATED
    return tuple(formats)


def count_formats(formats: Sequence[str]) -> str:
    """How many of each format, the most first: "4 live blogs, 2 horoscopes"."""
    counts = Counter(filter(None, formats)).most_common()
    words = ((count, _CALLED.get(name, (name, f"{name}s"))) for name, count in counts)
    return ", ".join(count_words(count, *called) for count, called in words)


def _by_title(text: str) -> str:
    end = label_end(text)
    tried = (text, text[end:]) if 0 < end < len(text) else (text,)
    return next((name for name, form in _TITLES.items() if any(map(form.search, tried))), "")


def _by_address(address: Address) -> str:
    # The last part is the article's own name.
    parts = address.path.casefold().split("/")[1:-1]
    return next((_SECTIONS[part] for part in parts if part in _SECTIONS), "")


def _series(texts: Sequence[str], outlets: Sequence[str | None], days: FloatArray) -> list[int]:
    """Headlines of one outlet that differ in day or issue alone, and come every day or every week."""
    places: dict[tuple[str, str], list[int]] = {}
    for row, (text, outlet) in enumerate(zip(texts, outlets, strict=True)):
        key = comparison_key(_ISSUE_OR_DAY.sub(" ", text))
        if outlet and len(key.split()) > 1 and not np.isnan(days[row]):
            places.setdefault((outlet, key), []).append(row)
    rows: list[int] = []
    for same in places.values():
        gaps = np.diff(np.unique(np.floor(days[same])))
        for apart, count in _DAYS_APART:
            if len(gaps) >= count - 1 and np.mean(gaps == apart) >= 0.75:
                rows += same
                break
    return rows
