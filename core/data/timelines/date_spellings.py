"""Dates as programs and sites write them, without what stands around the day and the time."""

import re
from typing import Final

from core.files import read_tables
from core.text.normalise import searched

_WORDS: Final = read_tables(__file__, "moments")
LABELS: Final = frozenset(searched(_WORDS["labels"]).split())
"""Words before a date that say what happened then: updated, published."""
_WRAPPED: Final = re.compile(r"/?(?:new )?([A-Za-z_.]{4,22})\(\s*['\"]?([^()'\"]+)[^()]*\)/?")
_NUMBERS: Final = re.compile(r"\d{4}(?:,\s*\d{1,2}){2,5}")
_EPOCH_ZONE: Final = re.compile(r"(?<=^\d{13})[+-]\d{4}$")
_LABEL: Final = re.compile(r"[^\W\d][^\d:|]{0,39}:\s+(?=\S)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ERA: Final = re.compile(r"(令和|平成|昭和|民[國国]|\b[RHS](?=\d{1,2}[./]\d))\s?(元|\d{1,3})\s?([年./-])")
_ERAS: Final = {
    "令和": 2018,
    "R": 2018,
    "平成": 1988,
    "H": 1988,
    "昭和": 1925,
    "S": 1925,
    "民國": 1911,
    "民国": 1911,
}
"""Years before the first of an era of Japan and of the Republic of China."""
_FIRST_WORD: Final = re.compile(r"([^\W\d_]+)[.,:|]{0,2}\s+")
_PLAINER: Final = [(re.compile(written, re.IGNORECASE), plain) for written, plain in _WORDS["spellings"]]


def plain_spelling(text: str, ignored: frozenset[str]) -> str:
    """A date as it is written by hand; words of `ignored` say nothing before it."""
    if wrapped := _WRAPPED.fullmatch(text):
        text = _EPOCH_ZONE.sub("", wrapped[2].strip())
        if numbers := _NUMBERS.match(text):
            year, month, day, *clock = map(int, numbers[0].split(","))
            month += wrapped[1] == "Date"  # JavaScript counts months from 0
            return (
                f"{year}-{month:02}-{day:02}"
                + f" {':'.join(f'{part:02}' for part in [*clock, 0][:3])}" * bool(clock)
            )
    text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
    while (word := _FIRST_WORD.match(text)) and searched(word[1]) in ignored | LABELS:
        text = text[word.end() :]
    for word in _WORD.finditer(text):
        if searched(word[0]) in LABELS and any(map(str.isdigit, text[: word.start()])):
            text = text[: word.start()].rstrip(" |(,;·–—-")  # 15 January | Updated 16 January
            break
    text = _ERA.sub(lambda era: f"{_ERAS[era[1]] + (1 if era[2] == '元' else int(era[2]))}{era[3]}", text)
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    return " ".join(text.split())
