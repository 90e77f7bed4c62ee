"""Who reported first, to the minute, and which headlines an outlet edited."""

import csv
from io import StringIO

import numpy as np
import pytest

from core.events.edited_headlines import (
    edit_columns,
    edited_articles,
    edits_table,
    headline_edits,
    word_diff,
)
from core.events.export import table_bytes
from core.events.facts import facts_grid
from core.events.facts_text import cell_words
from core.events.first_reports import (
    COPY,
    EDIT,
    FIRST,
    FOLLOW_UP,
    OWN,
    outlets_table,
    report_places,
    who_was_first,
)
from core.events.grouping import Settings, prepare, regroup
from core.events.number_lines import number_lines
from core.events.report_times import edit_times
from core.groups.summary import GroupedHeadlines, summarize_groups
from core.results.table_files import as_csv
from core.runtime import Runtime
from core.similarities import Similarities
from tests.unit.events.test_edited_headlines import timeline_of
from tests.unit.events.test_facts import cell, lines_of, places_in

DAM, BETA = "https://alpha.example/dam", "https://beta.example/dam"
EDITS = [
    ("Alpha", "2026-11-01T08:00Z", "Dam bursts in Harlow valley killing 14", DAM),
    ("Beta", "2026-11-01T10:00Z", "Harlow valley dam burst: 14 dead", BETA),
    ("Alpha", "2026-11-01T12:04Z", "Dam bursts in Harlow valley killing 9", DAM),
    ("Beta", "2026-11-01T13:40Z", "Harlow valley dam burst: what we know", BETA),
    ("Gamma", "2026-11-01T14:00Z", "Minister visits Harlow", "https://gamma.example/1"),
]


def test_an_edit_says_what_changed_and_when():
    timeline = timeline_of(*EDITS)
    first, other = headline_edits(timeline, range(len(EDITS)))
    assert (first.outlet, first.when) == ("Alpha", "1 Nov 2026, 12:04 UTC")
    assert "14 → 9 dead" in first.numbers[0]
    assert "14 dead" in other.numbers[0]
    assert "→" not in other.numbers[0]
    assert [part for part in first.diff if part.sign] == [("14", "-"), ("9", "+")]
    assert edited_articles(timeline) == {0, 1, 2, 3}
    (alpha, beta) = csv.DictReader(StringIO(as_csv(edits_table(timeline, [first, other]))))
    assert (alpha["before"], alpha["after"], alpha["address"]) == (EDITS[0][2], EDITS[2][2], DAM)
    assert beta["first published"] == "1 Nov 2026, 10:00 UTC"


@pytest.mark.slow
def test_an_exported_table_says_which_rows_are_one_article_and_which_wording_is_outdated():
    timeline = timeline_of(*EDITS)
    columns = edit_columns(timeline)
    assert columns["article"] == ["1", "2", "1", "2", ""]
    assert columns["replaces"] == ["", "", EDITS[0][2], EDITS[1][2], ""]
    assert columns["replaced_by"] == [EDITS[2][2], EDITS[3][2], "", "", ""]
    prepared = prepare(timeline, Settings(), Runtime())
    rows = list(csv.DictReader(StringIO(table_bytes(prepared, regroup(prepared), "csv").decode())))
    assert {name: [row[name] for row in rows] for name in columns} == columns
    assert edit_columns(timeline_of(*EDITS[::4])) == {}


def test_a_wording_of_a_day_that_another_one_outlived_is_outdated_in_an_exported_table():
    said = "Dam bursts in Harlow killing 3", "Dam bursts in Harlow killing 4"
    days = ("2026-11-01", "2026-11-01", "2026-11-02")
    timeline = timeline_of(*(("A", day, said[at > 0], DAM) for at, day in enumerate(days)))
    assert edit_columns(timeline)["replaced_by"] == [said[1], "", ""]


def test_spelling_is_no_edit():
    rows = [("A", "", "Dam bursts in Harlow", DAM), ("A", "", "Dam bursts in HARLOW!", DAM)]
    assert not headline_edits(timeline_of(*rows), range(2))
    rows += [("A", "", "Dam bursts in Harlow killing 3", DAM)]
    (edit,) = headline_edits(timeline_of(*rows), range(3))
    assert {edit.before, edit.after} == {0, 2}


@pytest.mark.parametrize(
    "times",
    [
        ("2026-11-01T08:00Z", ""),
        ("", "2026-11-01T08:00Z"),
        ("", ""),
        ("2026-11-01", "2026-11-01"),
        ("2026-11-01T08:00Z", "2026-11-01T08:00Z"),
    ],
)
def test_of_wordings_whose_order_no_date_tells_none_replaced_the_other(times):
    said = "Dam bursts in Harlow valley killing 14", "Dam bursts in Harlow valley killing 9"
    timeline = timeline_of(*(("Alpha", when, text, DAM) for when, text in zip(times, said, strict=True)))
    (edit,) = headline_edits(timeline, range(2))
    assert (edit.numbers, edit.when, edit.also in said) == ((), "", True)
    assert edit.also in edit.said
    assert "→" not in edit.said
    assert "not known" in edit.said
    assert not any(part.sign for part in edit.diff)
    assert edited_articles(timeline) == {0, 1}
    assert timeline.editions.outdated == set()
    columns = edit_columns(timeline)
    assert len(set(columns["article"])) == 1
    assert columns["replaces"] == columns["replaced_by"] == ["", ""]
    (line,) = csv.DictReader(StringIO(as_csv(edits_table(timeline, [edit]))))
    assert (line["before"], line["after"], line["numbers changed"]) == ("", "", "")
    assert {line["wording"], line["also worded"]} == set(said)
    (event,) = lines_of(timeline)
    grid = facts_grid(timeline, event)
    assert "→" not in cell_words(cell(grid, "Alpha", "dead"))
    assert not any(point.status for number in number_lines(timeline, event.rows) for point in number.points)
    times = edit_times(timeline, event.rows)
    assert (times.edited, times.replaced, set(*times.unordered)) == ({}, {}, {0, 1})


def test_a_wording_without_a_date_takes_nothing_from_what_dates_say_of_the_others():
    rows = [*EDITS[:3:2], ("Alpha", "", "Dam bursts in Harlow valley killing dozens", DAM)]
    timeline = timeline_of(*rows)
    change, other = headline_edits(timeline, range(3))
    assert (change.before, change.after, change.numbers) == (0, 1, ("changed 14 → 9 dead",))
    assert {other.before, other.after} == {1, 2}
    assert timeline.editions.outdated == {0}
    columns = edit_columns(timeline)
    assert columns["replaces"] == ["", rows[0][2], ""]
    assert columns["replaced_by"] == [rows[1][2], "", ""]
    copy = timeline_of(*rows[:2], ("Alpha", "", rows[0][2], DAM))  # no other wording than the first
    assert (copy.editions.outdated, len(headline_edits(copy, range(3)))) == ({0, 2}, 1)


def test_a_toll_without_a_date_is_neither_earlier_nor_lower_than_another():
    rows = [
        *((name, f"2026-11-01T0{at}:00Z", f"Quake in Peru: {number} dead", "")
          for at, (name, number) in enumerate((("A", 12), ("B", 20), ("C", 34)))),
        ("D", "", "Quake in Peru: 15 dead", ""),
    ]  # fmt: skip
    timeline = timeline_of(*rows)
    (event,) = lines_of(timeline)
    assert "earlier" not in cell_words(cell(facts_grid(timeline, event), "D", "dead"))
    (line,) = number_lines(timeline, event.rows)
    assert {point.status for point in line.points if point.row == 3} == {""}


def test_an_edit_says_no_length_of_time_and_no_value_that_it_denies():
    rows = [
        ("A", "2026-11-01T08:00Z", "Bank raises rates to 1.25%, highest in three decades", DAM),
        ("A", "2026-11-01T09:00Z", "Bank raises rates for all, governor says", DAM),
        ("B", "2026-11-01T08:00Z", "La economía de Brasil creció un 0,2 %", BETA),
        ("B", "2026-11-01T09:00Z", "CORRECCIÓN: La economía de Brasil creció un 0,2 % (no un 2 %)", BETA),
    ]
    bank, growth = headline_edits(timeline_of(*rows), range(len(rows)))
    assert ["1.25" in said for said in bank.numbers] == [True]
    assert growth.numbers == ()


def test_a_diff_gives_both_headlines_back():
    before, after = "Nearly 700 killed in Myanmar quake", "Toll of Myanmar quake passes 1,000"
    diff = word_diff(before, after)
    assert " ".join(part.text for part in diff if part.sign != "+") == before
    assert " ".join(part.text for part in diff if part.sign != "-") == after


def test_a_value_that_an_article_has_no_more_is_withdrawn_in_the_grid():
    timeline = timeline_of(*EDITS)
    (line,) = lines_of(timeline)
    grid = facts_grid(timeline, line)
    assert cell_words(cell(grid, "Beta", "dead")) == "14 dead (withdrawn)"
    assert cell_words(cell(grid, "Alpha", "dead")) == "killing 14 → killing 9, 12:04"
    reworded = timeline_of(*EDITS[:2], ("Beta", "2026-11-01T13:40Z", "Harlow dam: still 14 dead", BETA))
    (line,) = lines_of(reworded)
    assert "withdrawn" not in cell_words(cell(facts_grid(reworded, line), "Beta", "dead"))


def test_each_report_has_its_place_to_the_minute():
    timeline = timeline_of(
        *EDITS[:3],
        ("Gamma", "2026-11-01T12:30Z", "Dam bursts in Harlow valley killing 14", ""),
        ("Beta", "2026-11-01T15:00Z", "Harlow counts its dead", "https://beta.example/2"),
    )
    columns = GroupedHeadlines(
        Similarities(np.ones((5, 5), dtype=np.float32)), np.zeros(5, dtype=np.int64), timeline.reading,
        timeline.days, timeline.publishers, np.array([0, 1, 2, 0, 4]),
    )  # fmt: skip
    (places,) = report_places(timeline, summarize_groups(columns))
    assert [places[row].kind for row in range(5)] == [FIRST, OWN, EDIT, COPY, FOLLOW_UP]
    assert [places[row].delay for row in range(5)] == [0, 120, 244, 270, 420]


def test_without_hours_all_of_the_first_day_are_first():
    rows = [("A", "2026-11-01", "Dam bursts", ""), ("B", "2026-11-01", "Dam broken", ""),
            ("C", "2026-11-03", "Dam burst", "")]  # fmt: skip
    timeline = timeline_of(*rows)
    (places,) = report_places(timeline, lines_of(timeline))
    assert [place.kind for place in places.values()] == [FIRST, FIRST, OWN]
    assert places[2].delay == 2 * 24 * 60
    table = outlets_table(timeline, lines_of(timeline))
    assert "days" in table.columns[5].title
    assert [row[5] for row in table.rows if row[0] == "C"] == [2]


def test_the_table_of_outlets_counts_first_alone_and_the_median_delay():
    rows = [
        ("A", "2026-11-01T08:00Z", "Dam bursts", ""), ("B", "2026-11-01T08:10Z", "Dam broke", ""),
        ("A", "2026-11-02T08:00Z", "Mayor quits", ""), ("B", "2026-11-02T08:30Z", "Mayor is out", ""),
        ("B", "2026-11-03T08:00Z", "Bank robbed", ""), ("A", "2026-11-03T09:00Z", "Robbers hit bank", ""),
        ("B", "2026-11-04T08:00Z", "Cat rescued", ""),
    ]  # fmt: skip
    timeline, n = timeline_of(*rows), len(rows)
    columns = GroupedHeadlines(
        Similarities(np.ones((n, n), dtype=np.float32)), np.array([0, 0, 1, 1, 2, 2, 3]), timeline.reading,
        timeline.days, timeline.publishers,
    )  # fmt: skip
    table = outlets_table(timeline, summarize_groups(columns))
    a, b = table.rows
    assert a[:6] == ("A", 3, 2, 3, 0, 0)  # of 0, 0 and 60 minutes: who is mostly first is the fastest
    assert b[:6] == ("B", 4, 1, 3, 1, 10)
    assert "0 where it was first" in table.notes[1]
    assert who_was_first(table).endswith("in 2 of 3 shared events")


@pytest.mark.parametrize("times", [("", ""), ("2026-11-01T08:00Z", "")])
def test_where_dates_are_missing_nobody_is_said_to_be_first_nor_no_event_to_be_shared(times):
    names = zip("AB", times, ("Dam bursts", "Dam broke"), strict=True)
    timeline = timeline_of(*((name, when, text, "") for name, when, text in names))
    table = outlets_table(timeline, lines_of(timeline))
    assert [row[2:4] for row in table.rows] == [(0, 1), (0, 1)]
    assert "No event" not in who_was_first(table)
    alone = timeline_of(("A", "2026-11-01T08:00Z", "Dam bursts", ""))
    assert "No event" in who_was_first(outlets_table(alone, lines_of(alone)))


@pytest.mark.parametrize(
    ("places", "where"),
    [
        (["Ohio", "Columbus", "Ohio"], [0, 0, 0]),
        (["Ohio", "Columbus", "Ohio", "Cleveland"], [0, 0, 0, -1]),
        (["Paris", "Lyon", "Paris"], [0, -1, 0]),
    ],
)
def test_a_place_in_another_is_no_rival_value(places, where):
    said = ("Mall shooting in {} leaves four dead", "4 dead in {} mall shooting, police say",
            "Gunman kills four at mall in {}", "Four killed in mall shooting in {}")  # fmt: skip
    rows = [
        (f"Outlet {at}", f"2026-11-01T0{at}:00Z", text.format(place), "")
        for at, (text, place) in enumerate(zip(said, places, strict=False))
    ]
    timeline = timeline_of(*rows)
    (line,) = lines_of(timeline)
    grid = facts_grid(timeline, line)
    assert [place for place, *_ in places_in(grid, "where").values()] == where


def test_what_happened_holds_outcomes_alone():
    rows = [
        ("A", "2026-11-01T08:00Z", "Minister resigns, says court ruling was attack", ""),
        ("B", "2026-11-01T09:00Z", "Court says minister attacked the press; he resigned", ""),
        ("C", "2026-11-01T10:00Z", "Minister says he resigned", ""),
    ]
    timeline = timeline_of(*rows)
    (line,) = lines_of(timeline)
    happened = [cell_words(cell(facts_grid(timeline, line), name, "what happened")) for name in "ABC"]
    assert happened == ["resigns", "resigned", "resigned"]
    rows = [(name, "2026-11-01T08:00Z", "Blast kills 3 in Leeds", "") for name in "AB"]
    timeline = timeline_of(*rows)
    (line,) = lines_of(timeline)
    assert "what happened" not in {column.head for column in facts_grid(timeline, line).columns}
