"""Headlines are filtered by what is known of them and of their outlets; one side's events are found."""

import msgspec
import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.events.corrections import Marks
from core.events.coverage import ORDERS, blind_spots_table, sole_value
from core.events.facets import facets, flagged, matching
from core.events.grouping import Grouping
from core.events.outlet_table import decoded, read_outlet_table, values_of
from core.groups.summary import GroupSummary
from core.runtime import Runtime

DESK = """publisher,published,section,headline,url
Alpha,2026-11-01T08:00Z,World,Dam bursts in Harlow valley killing 14,https://alpha.example/dam
Beta,2026-11-01T10:00Z,World,Harlow valley dam burst: 14 dead,https://beta.example/harlow
Alpha,2026-11-01T12:04Z,World,Dam bursts in Harlow valley killing 9,https://alpha.example/dam
Gamma,2026-11-01T12:30Z,World,Harlow valley dam burst kills eleven,https://gamma.example/harlow
Beta,2026-11-01T13:10Z,Politics,Parliament votes on the budget for schools,https://beta.example/budget
Gamma,2026-11-01T14:10Z,Politics,Budget for schools passes in parliament vote,https://gamma.example/budget
Alpha,2026-11-01T15:00Z,Politics,Minister leaves the cabinet after a quarrel,https://alpha.example/minister
Delta,2026-11-01T15:30Z,Politics,Minister quits cabinet in a quarrel,https://delta.example/minister
"""
IDS = np.array([1, 1, 1, 1, 2, 2, 3, 3])
SIDES = "Outlet;side;Country\nalpha;left;A\nBETA;right;B\nGamma;right;C\n\n"


@pytest.fixture(scope="module")
def timeline():
    return load(DESK.encode(), "desk.csv")


def sides(text=SIDES):
    return read_outlet_table(text.encode(), "outlets.csv")


def chosen(known, *pairs):
    return np.flatnonzero(matching(known, pairs, len(IDS))).tolist()


def test_values_of_one_facet_are_any_of_them_and_those_of_several_are_all(timeline):
    known = facets(timeline, IDS, sides())
    assert {name: len(rows) for name, rows in known["outlet"].rows.items()} == {
        "Alpha": 3, "Beta": 2, "Gamma": 2, "Delta": 1,
    }  # fmt: skip
    assert set(known["file.section"].rows) == {"World", "Politics"}
    assert chosen(known, ("outlet", "Alpha"), ("outlet", "Delta")) == [0, 2, 6, 7]
    assert chosen(known, ("outlet", "Alpha"), ("file.section", "World")) == [0, 2]
    assert chosen(known, ("outlet.side", "right")) == [1, 3, 4, 5]
    assert chosen(known) == list(range(8))


def test_a_value_that_is_not_there_keeps_nothing(timeline):
    known = facets(timeline, IDS, {})
    assert chosen(known, ("outlet.side", "left")) == []
    assert chosen(known, ("outlet", "Omega")) == []
    assert not [name for name in known if name.startswith(("outlet.", "only."))]


def test_numbers_edits_disputes_and_corrections_are_told_apart(timeline):
    marks = Marks(groups={3: None})
    found = flagged(timeline, IDS, marks, Runtime())
    assert found["numbers"] == {0, 1, 2, 3}
    assert found["edited"] == {0, 2}
    assert found["disputed"] == {2, 3}  # nine and eleven within the hour
    assert found["corrected"] == {0}
    assert found["regrouped"] == {6, 7}


def test_a_blind_spot_has_two_outlets_of_one_side_and_none_that_is_not_known():
    value_of = {"Alpha": "left", "Beta": "right", "Gamma": "right"}
    assert sole_value(["Beta", "Gamma", "Beta"], value_of) == "right"
    assert not sole_value(["Beta", "Beta"], value_of)
    assert not sole_value(["Alpha", "Beta"], value_of)
    assert not sole_value(["Beta", "Gamma", "Delta"], value_of)
    assert not sole_value(["Beta", "Gamma", None], value_of)


def event(group, rows, outlets):
    return GroupSummary(group, rows, tuple((row,) for row in rows), rows[0], rows[0], rows[-1], outlets)


def test_blind_spots_are_a_filter_and_a_table_that_names_who_is_silent(timeline):
    table = sides()
    known = facets(timeline, IDS, table)
    assert chosen(known, ("only.side", "right")) == [4, 5]
    assert "only.Country" not in known
    events = [event(1, (0, 1, 2, 3), ("Alpha", "Beta", "Gamma")), event(2, (4, 5), ("Beta", "Gamma"))]
    events.append(event(3, (6, 7), ("Alpha", "Delta")))
    value_of = values_of(table["side"], timeline.publishers)
    found = blind_spots_table(timeline, Grouping(IDS, 0.5, True, None, ""), events, "side", value_of)
    (row,) = found.rows
    assert row[:5] == (timeline.texts[4], "right", 2, 2, "Beta, Gamma")
    assert row[5] == "left (1)"
    assert "13:10" in row[6]
    assert found.notes[0].startswith("1 event ")  # Delta is in no table


def test_blind_spots_come_in_the_order_that_is_chosen():
    outlets = "ABCDEFG"
    rows = "".join(f"{name},2026-11-0{day}T08:00Z,Headline {name}\n" for day, name in enumerate(outlets, 1))
    spots = load(f"publisher,published,headline\n{rows}".encode(), "spots.csv")
    groups = Grouping(np.array([1, 1, 1, 2, 2, 3, 3]), 0.5, True, None, "")
    value_of = {name: "right" if name in "DE" else "left" for name in outlets}
    events = [
        event(1, (0, 1, 2), ("A", "B", "C")),
        event(2, (3, 4), ("D", "E")),
        event(3, (5, 6), ("F", "G")),
    ]

    def first(order):
        found = blind_spots_table(spots, groups, events, "side", value_of, order=order)
        return [row[4][0] for row in found.rows]

    assert {order: first(order) for order in ORDERS} == {
        "outlets": ["A", "D", "F"],
        "silent": ["D", "A", "F"],
        "newest": ["F", "D", "A"],
    }


def test_one_side_in_the_whole_timeline_has_no_blind_spots(timeline):
    table = sides("publisher,side\nBeta,right\nGamma,right\n")
    assert "only.side" not in facets(timeline, IDS, table)


def test_a_table_of_outlets_is_kept_as_it_was_read_and_refused_without_outlets():
    table = sides()
    assert tuple(table) == ("side", "Country")
    assert decoded(msgspec.json.encode(table)) == table
    assert decoded(b"") == {}
    for text in ("paper of record,side\nAlpha,left\n", "outlet\nAlpha\nBeta\n"):
        with pytest.raises(InputError):
            sides(text)
