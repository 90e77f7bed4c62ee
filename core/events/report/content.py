"""What a report says, as plain data; no clock, so that the same content gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core import __version__
from core.maps.labels import MapLabel
from core.results.table import Table
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True)
class ReportHeadlines:
    """The headlines as columns of equal length, in input order.

    Attributes:
        texts: The headlines.
        published: Aware UTC times; None where there is none.
        day_only: Whether only the day is known.
        publishers: Names of outlets, or None.
        urls: As given by the source, or None; only http and https become links.
    """

    texts: tuple[str, ...]
    published: tuple[datetime | None, ...]
    day_only: tuple[bool, ...]
    publishers: tuple[str | None, ...]
    urls: tuple[str | None, ...]

    def __len__(self) -> int:
        """How many headlines."""
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class ReportCard:
    """One group of two headlines or more.

    Attributes:
        group: Its stable number.
        representative: Row of the headline that stands for it.
        rows: Rows of all its headlines, in the order in which they are to be listed.
        suggested: Row of the headline that is suggested for it; None for no suggestion.
        reason: What speaks for that one, a sentence.
        title: The one that people gave it; "" for its representative headline.
        remarks: Sentences on what people noted or corrected, and on what tells the outlets apart.
        reports: The rows again, each headline with its copies, the original first; () where none has copies.
    """

    group: int
    representative: int
    rows: tuple[int, ...]
    suggested: int | None = None
    reason: str = ""
    title: str = ""
    remarks: tuple[str, ...] = ()
    reports: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ReportContent:
    """All that a report shows; every text may come from a stranger's file and is escaped.

    Attributes:
        title: Usually the timeline's name.
        facts: Label and value of each fact in the strip at the top.
        headlines: The n headlines.
        groups: Stable group number of each headline, int64 [n].
        cards: The groups of two and more, the most important first.
        signature: Method and parameters of the result, one line.
        fingerprint: Of the timeline's data.
        positions: Map places, float32 [n, 2], or None to leave the map out.
        labels: Names on the map.
        quality: Measures against gold, their values and meaning; None without gold.
        rejected: How many input rows could not be read.
        notes: Sentences for the reader (dates missing, groups folded, …).
        version: Of this program.
        command: The command line that makes the same report from the file.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    headlines: ReportHeadlines
    groups: IntArray
    cards: tuple[ReportCard, ...]
    signature: str
    fingerprint: str
    positions: Float32Array | None = None
    labels: tuple[MapLabel, ...] = ()
    quality: Table | None = None
    rejected: int = 0
    notes: tuple[str, ...] = ()
    version: str = __version__
    command: str = "headline-lab group FILE --bundle out.zip"

    def name(self, card: ReportCard) -> str:
        """The title of a card."""
        return card.title or self.headlines.texts[card.representative]
