"""A sample made as large as wanted: copies of its stories in other days and with other words.

Each copy of the sample follows the one before in time, so that headlines a day, sizes of stories and the
hours between headlines stay. In each copy every word but function words is exchanged for another word of
the sample, of about as many letters, the same word for the same word: headlines of one story share as many
words as they did, and stories of two copies share what any two stories do. What is lost is meaning beyond
shared words, so groups are harder to find than in the sample.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pandas as pd

from core.files import ROOT
from core.text.tokens import STOP_WORDS

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]+")


def expanded(count: int, *, seed: int = 0) -> Iterator[pd.DataFrame]:
    """Copies of the UCI sample, `count` rows in all: headline, published, publisher and group."""
    sample = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)
    times = pd.to_datetime(sample["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    span = times.max() - times.min()
    words = sorted(
        {word.lower() for title in sample["TITLE"] for word in _WORD.findall(title)} - STOP_WORDS["en"]
    )
    made, copy = 0, 0
    while made < count:
        draw = random.Random(seed * 1_000_003 + copy)
        other = _other(words, draw)
        titles = [_exchanged(title, other) for title in sample["TITLE"]]
        table = pd.DataFrame(
            {
                "headline": sample["TITLE"] if copy == 0 else titles,
                "published": (times + copy * span).dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "publisher": sample["PUBLISHER"],
                "group": [f"{copy}-{story}" for story in sample["STORY"]],
            }
        ).iloc[: count - made]
        made, copy = made + len(table), copy + 1
        yield table


def write(path: Path, count: int) -> None:
    """Writes `count` rows as CSV, copy after copy, each in the order of its dates."""
    for part, table in enumerate(expanded(count)):
        ordered = table.sort_values("published", kind="stable")
        ordered.to_csv(path, index=False, mode="a", header=part == 0)


def _other(words: list[str], draw: random.Random) -> dict[str, str]:
    shuffled = draw.sample(words, len(words))
    return dict(zip(sorted(words, key=len), sorted(shuffled, key=len), strict=True))


def _exchanged(title: str, other: dict[str, str]) -> str:
    def named(found: re.Match[str]) -> str:
        new = other.get(found[0].lower(), found[0])
        return new.capitalize() if found[0][0].isupper() else new

    return _WORD.sub(named, title)
