"""How good stories are, and whether events and stories keep their numbers and names from day to day.

Quality: pair F1 and B-cubed F1 against labels of stories, of events as they are and of the stories made of
them. AllSides: a topic until it pauses for 14 days; ECB+: the topic of two events; UCI and OG2021 have no
such labels, so those of their events say what stories join too much. Updates: thirty a set, UCI's of equal
size, OG2021's a day each, with the numbers handed on. An event is unchanged where its earlier headlines are
still together and no other earlier one is among them; it is kept with its number. An heir is the event with
most of its headlines. Names are compared where no headline came or went. Nothing was chosen on OG2021.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.groups import DATA, sets

UPDATES: Final = 30
PAUSE: Final = pd.Timedelta(days=14)
OG2021: Final = "OG2021, five languages"


def run() -> dict[str, Any]:
    """Measures the sets that are here."""
    tables = sets()
    labels = {"UCI": None, OG2021: None}
    if DATA.is_dir():
        sides = pd.read_csv(DATA / "allsides_stories/allsides_stories.csv.gz", dtype=str)
        labels["AllSides"] = _runs(sides["topic"], pd.to_datetime(sides["story_date"].str[:10]))
        topics = pd.read_csv(DATA / "ecbplus/ecbplus_first_sentences.csv", dtype=str)["topic"]
        labels["ECB+ first sentences"] = topics
    with tempfile.TemporaryDirectory() as cache:
        rows = []
        for name in filter(tables.__contains__, ("AllSides", "ECB+ first sentences", "UCI", OG2021)):
            rows.append(_quality(name, tables[name], labels[name], Path(cache)))
            print(rows[-1], flush=True)
        for name in filter(tables.__contains__, ("UCI", OG2021)):
            rows += _updates(name, tables[name], Path(cache))
    return {"benchmark": "stories", "rows": rows}


def _runs(topics: pd.Series, days: pd.Series) -> pd.Series:
    order = days.sort_values(kind="stable").index
    begins = days[order].groupby(topics[order]).diff() > PAUSE
    return topics[order].str.cat(begins.groupby(topics[order]).cumsum().astype(str), sep=" ").sort_index()


def _quality(name: str, table: pd.DataFrame, labels: pd.Series | None, cache: Path) -> dict[str, Any]:
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field
    from core.events.grouping import Settings, prepare, regroup, story_of
    from core.groups.quality.metrics import quality
    from core.runtime import Runtime

    given = table if labels is None else table.assign(group=labels.fillna("none"))
    timeline = load(given.to_csv(index=False).encode(), "set.csv")
    prepared = prepare(timeline, Settings(), Runtime(cache=cache, patient=True))
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    row: dict[str, Any] = {
        "set": name,
        "measure": "quality",
        "labels": "events" if labels is None else "stories",
    }
    for what, ids in (("events", grouping.ids), ("stories", story_of(prepared, grouping))):
        found = quality(ids, gold)
        row[what] = len(set(ids.tolist()))
        for metric in ("pair_f1", "bcubed_f1", "pair_recall"):
            row[f"{metric}_of_{what}"] = round(found[metric].value or 0.0, 3)
    return row


def _updates(name: str, table: pd.DataFrame, cache: Path) -> list[dict[str, Any]]:
    from core.data.timelines.load import load
    from core.events.cards import group_summaries
    from core.events.grouping import (
        Settings,
        group_numbers,
        headline_keys,
        prepare,
        regroup,
        stories_of,
        story_of,
    )
    from core.runtime import Runtime

    when = pd.to_datetime(table["date"].astype("int64"), unit="ms") if name == "UCI" else table["date"]
    whole = table.assign(when=pd.to_datetime(when)).sort_values("when", kind="stable")
    days = whole["when"].dt.floor("D")
    ends = np.linspace(0, len(whole), UPDATES + 2).round().astype(int)[1:]
    if name != "UCI":
        last = sorted(days.unique())[-UPDATES - 1 :]
        ends = np.searchsorted(days, last, side="right")
    numbers: dict[str, int] | None = None
    before: list[tuple[dict[str, int], dict[int, str]]] = []
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for end in ends:
        timeline = load(whole[:end].drop(columns="when").to_csv(index=False).encode(), "set.csv")
        prepared = prepare(timeline, Settings(), Runtime(cache=cache, patient=True), previous=numbers)
        grouping, keys = regroup(prepared), headline_keys(prepared.timeline)
        titles = {
            one.group: timeline.texts[one.representative] for one in group_summaries(prepared, grouping)
        }
        names = titles | {one.number: titles[one.central] for one in stories_of(prepared, grouping)}
        now = [
            (dict(zip(keys, ids.tolist(), strict=True)), said)
            for ids, said in ((grouping.ids, titles), (story_of(prepared, grouping), names))
        ]
        for what, old, new in zip(("events", "stories"), before, now, strict=False):
            counted[what].update(_compared(*old, *new))
        numbers, before = group_numbers(prepared), now
        print(name, int(end), {what: dict(found) for what, found in counted.items()}, flush=True)
    return [
        {
            "set": name,
            "measure": "updates",
            "of": what,
            "updates": len(ends) - 1,
            "unchanged": found["unchanged"],
            "unchanged_kept": round(found["unchanged kept"] / found["unchanged"], 4),
            "all": found["all"],
            "heir_kept": round(found["heir kept"] / found["all"], 4),
            "names_kept": round(found["named alike"] / found["same"], 4),
        }
        for what, found in counted.items()
    ]


def _compared(
    old: dict[str, int], old_titles: dict[int, str], new: dict[str, int], new_titles: dict[int, str]
) -> Counter[str]:
    members, heirs, holding = defaultdict(set), defaultdict(list), defaultdict(set)
    for key, number in old.items():
        members[number].add(key)
        heirs[number].append(new[key])
    for key, number in new.items():
        holding[number].add(key)
    found: Counter[str] = Counter()
    for number, keys in members.items():
        heir = Counter(heirs[number]).most_common(1)[0][0]
        found["all"] += 1
        found["heir kept"] += heir == number
        if keys == holding[heir] & old.keys():
            found["unchanged"] += 1
            found["unchanged kept"] += heir == number
        if keys == holding[heir]:
            found["same"] += 1
            found["named alike"] += old_titles.get(number) == new_titles.get(heir)
    return found
