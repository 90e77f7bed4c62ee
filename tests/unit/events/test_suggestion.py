"""The headline that is suggested for an event, and the sentence that says why."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.data.timelines.duplicates import has_label
from core.data.timelines.load import load, load_sample
from core.events.cards import BARELY, Suggestion, group_summaries, outlets_of, suggestions
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.events.outlets import Said
from core.groups.card import GroupSummary, closeness
from core.results.render import delimited
from core.runtime import Runtime

Chosen = list[tuple[GroupSummary, Suggestion]]


def chosen(prepared: Prepared, grouping: Grouping) -> Chosen:
    lines = [line for line in group_summaries(prepared, grouping) if line.size > 1]
    return list(zip(lines, suggestions(prepared, [line.rows for line in lines]), strict=True))


@pytest.fixture(scope="module")
def uci() -> Prepared:
    whole = load_sample("uci")
    rows = [row for row, text in enumerate(whole.texts) if re.search("Colorado|Chiquita", text)]
    return prepare(whole.select(np.array(rows)), Settings(), Runtime())


@pytest.fixture(scope="module")
def of_uci(uci: Prepared) -> Chosen:
    return chosen(uci, regroup(uci))


@pytest.fixture(params=["iss", "uci"])
def events(request: pytest.FixtureRequest) -> tuple[Prepared, Chosen]:
    prepared = request.getfixturevalue(request.param)
    return prepared, chosen(prepared, regroup(prepared))


def prepared_of(*lines: tuple[str, str, str]) -> Prepared:
    table = delimited([["publisher", "published", "headline"], *map(list, lines)])
    return prepare(load(table.encode(), "a.csv"), Settings(), Runtime())


def test_it_is_an_original_that_the_group_holds(events: tuple[Prepared, Chosen]) -> None:
    prepared, found = events
    for line, best in found:
        originals = [report[0] for report in line.reports]
        assert best.row in originals
        near = closeness(prepared.similarities, np.array(originals))
        assert near[originals.index(best.row)] >= BARELY * np.median(near)


def test_what_it_says_of_real_events(of_uci: Chosen, uci: Prepared) -> None:
    texts = uci.timeline.texts
    said = {texts[best.row]: best.reason for _, best in of_uci}
    taxes = next(reason for text, reason in said.items() if "Colorado" in text and "Million" in text)
    assert "Colorado, $2 million" in taxes
    assert re.search(r"the number that is given most often \(\$2 million, by \d+ of \d+ outlets\)", taxes)
    assert not any(has_label(text) for text in said)


def test_a_copy_is_never_chosen_over_its_original() -> None:
    prepared = prepared_of(
        ("Beta", "2018-09-05T12:00:00Z", "UPDATE 1-Roscosmos finds a hole of 2 mm on the station"),
        ("Alpha", "2018-09-05T10:00:00Z", "Roscosmos finds a hole of 2 mm on the station"),
        ("Gamma", "2018-09-05T13:00:00Z", "ROSCOSMOS finds a hole of 2 mm on the station!"),
        ("Delta", "2018-09-05T11:00:00Z", "A hole of 2 mm on the station is found by Roscosmos"),
    )
    for selector in (None, "longest", "most_recent"):
        (best,) = suggestions(prepared, [[0, 1, 2, 3]], selector=selector)
        assert best.row in (1, 3)


def test_a_number_that_more_outlets_contradict_is_not_suggested() -> None:
    prepared = prepared_of(
        ("A", "2024-05-01", "Quake kills 12 people in the north of Peru"),
        ("B", "2024-05-01", "Quake in Peru kills 12 people"),
        (
            "C",
            "2024-05-01",
            "Quake kills 14 people in mountains in the north of Peru on a cold Sunday",
        ),
    )
    (best,) = suggestions(prepared, [[0, 1, 2]], selector="longest")
    assert best.row == 0
    assert best.reason.endswith("gives the number that is given most often (12 dead, by 2 of 3 outlets).")


def test_a_member_that_the_group_barely_holds_is_not_suggested() -> None:
    prepared = prepared_of(
        ("A", "2024-05-01", "Quake kills 12 people in the north of Peru"),
        ("B", "2024-05-01", "Quake in the north of Peru kills 12 people"),
        ("C", "2024-05-01", "Quake in Peru kills 12 people in the north"),
        ("D", "2024-05-01", "How the city of Milan became a capital of fashion and football in 12 steps"),
    )
    (best,) = suggestions(prepared, [[0, 1, 2, 3]], selector="longest")
    assert best.row != 3
    (alone,) = suggestions(prepared, [[3]], selector="longest")
    assert alone.reason == "The only headline."


def test_a_reason_does_not_claim_what_is_not_there() -> None:
    prepared = prepared_of(("A", "", "Rain and more rain ahead"), ("B", "", "More rain is on its way"))
    (best,) = suggestions(prepared, [[0, 1]])
    assert best.reason.startswith("The reports share no name or number")
    assert {Said.ACTOR, Said.NUMBER}.isdisjoint(
        {one.kind for one in outlets_of(prepared, group_summaries(prepared, regroup(prepared))[0]).sayings}
    )
