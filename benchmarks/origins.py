"""Which reports of an event are one origin, against events that were read."""

import csv
import hashlib
from collections.abc import Callable
from itertools import combinations, groupby
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.grouping import DATA
from benchmarks.publishing import RESULTS
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.data.timelines.timeline import Field, Timeline
from core.events.origins import origins
from core.files import ROOT
from core.groups.summary import fold_reports
from core.statistics.bootstrap import bootstrap_sums, interval
from core.text.normalise import comparison_key

TABLE: Final = RESULTS / "origins_read_by_hand.csv"
CHOOSING, UNTOUCHED = "choosing", "untouched"
RULE, OWN, EQUAL = "origins", "every report its own origin", "equal text"
Event = list[dict[str, str]]


def run_origins() -> dict[str, Any]:
    """Which reports are one origin: 200 events that one reader, a language model, judged before the rule ran.

    The reader saw headlines, outlets, times and addresses. The constants were chosen on half of the events. A
    report is compared within its whole event, as in the app. Of sets that may not be copied the table has
    ids and digests; they are left out where their folder is absent.
    """
    rows = []
    sources = {name: read() for name, read in SOURCES.items()}
    for half in (UNTOUCHED, CHOOSING):
        events = [event for event in judged(half) if sources[event[0]["source"]] is not None]
        guesses = [guessed(event, sources[event[0]["source"]]) for event in events]
        for name in (RULE, OWN, EQUAL):
            rows.append({"rule": name, "half": half, **score(events, [guess[name] for guess in guesses])})
    return {"benchmark": "origins", "rows": rows}


def judged(half: str) -> list[Event]:
    """The events of a half, each with its reports by time."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["half"] == half]
    return [list(event) for _, event in groupby(lines, key=lambda line: line["event"])]


def guessed(event: Event, source: pd.DataFrame) -> dict[str, list[Any]]:
    """For each rule the origin of each report, as equal or unequal names."""
    own = [source.index.get_loc(line["id"]) for line in event]
    texts = source["headline"].tolist()
    for row, line in zip(own, event, strict=True):
        if hashlib.sha256(texts[row].encode()).hexdigest()[:8] != line["digest"]:
            raise ValueError(f"{line['source']} {line['id']} has another headline than the one that was read")
    groups = source["group"].iloc[own]
    whole = np.flatnonzero(source["group"].isin(groups)) if groups.notna().all() else np.array(own)
    rows = sorted(whole.tolist(), key=lambda row: (source["time"].iloc[row], row))
    found = origins(
        texts, rows, copies=fold_reports(rows, source["copy"].to_numpy(), texts),
        outlets=source["publisher"].tolist(), links=source["url"].tolist(),
    )  # fmt: skip
    of = {copy.row: copy.of for copy in found}
    equal = [comparison_key(texts[row]) for row in own]
    return {RULE: [of.get(row, row) for row in own], OWN: own, EQUAL: equal}


def score(events: list[Event], guesses: list[list[Any]]) -> dict[str, Any]:
    """Shares of events and of pairs that are right, with 95 % intervals over events."""
    counts = []
    for event, guess in zip(events, guesses, strict=True):
        pairs = [
            (event[a]["origin"] == event[b]["origin"], guess[a] == guess[b])
            for a, b in combinations(range(len(event)), 2)
        ]
        right = sum(truth == said for truth, said in pairs)
        both = sum(truth and said for truth, said in pairs)
        found, true = sum(said for _, said in pairs), sum(truth for truth, _ in pairs)
        counts.append((right == len(pairs), 1, right, len(pairs), both, found, true))
    sums, drawn = np.array(counts, dtype=float), bootstrap_sums(np.array(counts, dtype=float))
    events_right, total, right, pairs, both, found, true = sums.sum(axis=0)
    return {
        "events": int(total),
        "events_right": round(events_right / total, 3),
        "events_interval": [round(end or 0, 3) for end in interval(drawn[:, 0] / drawn[:, 1])],
        "pairs": int(pairs),
        "pairs_right": round(right / pairs, 3),
        "pairs_interval": [round(end or 0, 3) for end in interval(drawn[:, 2] / drawn[:, 3])],
        "precision": round(both / found, 3) if found else None,
        "recall": round(both / true, 3),
    }


def _timeline(timeline: Timeline, *, groups: bool) -> pd.DataFrame:
    table = timeline.table
    columns = {
        "headline": timeline.texts,
        "publisher": [outlet or "" for outlet in timeline.publishers],
        "url": [link if isinstance(link, str) else "" for link in table[Field.URL]],
        "group": table[Field.GOLD].tolist() if groups else [None] * len(table),
        "time": timeline.days,
    }
    return _marked(pd.DataFrame(columns, index=list(map(str, range(len(table))))))


def _marked(frame: pd.DataFrame) -> pd.DataFrame:
    copies = find_duplicates(frame["headline"].tolist(), publishers=frame["publisher"].tolist())
    return frame.assign(copy=copies.duplicate_of)


def _press() -> pd.DataFrame:
    name = "presseschau.xlsx"
    return _timeline(load((ROOT / "tests/data/cases" / name).read_bytes(), name), groups=False)


def _sides() -> pd.DataFrame | None:
    file = DATA / "allsides_stories/allsides_stories.csv.gz"
    if not file.is_file():
        return None
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    table.index = pd.Index(table["story_id"] + "/" + table["side"])
    names = {"title": "headline", "source": "publisher", "story_id": "group", "story_date": "time"}
    return _marked(table.rename(columns=names))


def _games() -> pd.DataFrame | None:
    file = DATA / "og2021/og2021_por_fra_deu_slv_ara.csv.gz"
    if not file.is_file():
        return None
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    table = table.set_index("id").assign(publisher="", url="")
    return _marked(table.rename(columns={"cluster": "group", "date": "time"}))


SOURCES: Final[dict[str, Callable[[], pd.DataFrame | None]]] = {
    "uci": lambda: _timeline(load_sample("uci"), groups=True),
    "iss": lambda: _timeline(load_sample("iss"), groups=True),
    "press": _press,
    "allsides": _sides,
    "og2021": _games,
}
