"""A toll that rises is later news: lines of numbers, and titles that follow them."""

import csv
from io import StringIO

import numpy as np
import pytest

from components.frame.charts.number_chart import number_chart
from core.data.timelines.load import load
from core.events.cards import group_card, group_summaries
from core.events.disputes import disputes
from core.events.facts import facts_grid
from core.events.grouping import Grouping, Settings, prepare, regroup
from core.events.number_lines import lines_table, number_lines
from core.events.suggestions import suggestions
from core.results.delimited import delimited
from core.results.table_files import as_csv
from core.runtime import Runtime

QUAKE = [
    ("Reuters", "2025-03-28T06:52Z", "Strong earthquake shakes northern Myanmar", ""),
    ("CNN", "2025-03-28T08:40Z", "At least 3 dead as Myanmar quake topples mosque", ""),
    ("Reuters", "2025-03-28T09:15Z", "Myanmar quake kills at least 20, hospital says", ""),
    ("AP", "2025-03-28T11:45Z", "Death toll in Myanmar quake climbs to 103", ""),
    ("Reuters", "2025-03-28T14:30Z", "Myanmar military says 144 killed, 732 injured in quake", ""),
    ("BBC", "2025-03-28T15:10Z", "More than 140 dead in Myanmar earthquake, military leader says", ""),
    ("AFP", "2025-03-29T02:00Z", "Myanmar earthquake death toll passes 690", ""),
    ("CNN", "2025-03-29T05:10Z", "Nearly 700 killed in Myanmar quake", ""),
    ("AP", "2025-03-29T07:00Z", "More than a thousand dead after Myanmar quake; 2,376 hurt", ""),
    ("Al Jazeera", "2025-03-29T12:00Z", "Myanmar quake: 1,644 dead, 3,408 injured, says junta", ""),
    ("The Guardian", "2025-03-29T13:00Z", "Rescuers pull woman alive from rubble after Myanmar quake", ""),
    ("Reuters", "2025-03-30T04:00Z", "USGS estimates Myanmar quake toll could exceed 10,000", ""),
    ("AFP", "2025-03-31T08:00Z", "Myanmar quake toll passes 2,000, junta declares week of mourning", ""),
    ("AP", "2025-03-31T08:30Z", "2,056 killed in Myanmar quake", ""),
    ("The Guardian", "2025-03-31T10:00Z", "Bangkok tower collapse: 19 dead, 75 missing", ""),
]
DAM, OTHER = "https://alpha.example/dam", "https://beta.example/dam"
EDITS = [
    ("Alpha", "2026-11-01T08:00Z", "Dam bursts in Harlow valley killing 14", DAM),
    ("Beta", "2026-11-01T10:00Z", "Harlow valley dam burst: 14 dead", OTHER),
    ("Alpha", "2026-11-01T12:04Z", "Dam bursts in Harlow valley killing 9", DAM),
    ("Gamma", "2026-11-01T12:30Z", "Staudamm im Harlow-Tal gebrochen: neun Tote", ""),
    ("Beta", "2026-11-01T13:40Z", "Harlow valley dam burst: what we know", OTHER),
]


def timeline_of(rows):
    return load(delimited([["publisher", "published", "headline", "url"], *rows]).encode(), "a.csv")


def one_event(rows):
    """A timeline whose headlines are one event, whatever would group them."""
    prepared = prepare(timeline_of(rows), Settings(), Runtime())
    grouping = Grouping(np.ones(len(rows), dtype=np.int64), 0.5, True, None, "", corrections=None)
    (line,) = group_summaries(prepared, grouping)
    return prepared, grouping, line


def line_of(rows, head):
    timeline = timeline_of(rows)
    return next(line for line in number_lines(timeline, range(len(rows))) if line.head == head)


def test_title_and_best_headline_have_the_last_figure_and_updates_contradict_nothing():
    prepared, grouping, line = one_event(QUAKE)
    texts = prepared.timeline.texts
    assert texts[line.representative] == "2,056 killed in Myanmar quake"
    (best,) = suggestions(prepared, [line.rows])
    assert texts[best.row] == "2,056 killed in Myanmar quake"
    card = group_card(prepared, grouping, line.group)
    against = {texts[row] for row, each in card.differences if each.number_conflicts or each.opposed}
    assert against <= {"Bangkok tower collapse: 19 dead, 75 missing"}  # of one hour, and lower
    (dispute,) = disputes(prepared, grouping, [line], Runtime()).values()
    assert dispute.contradictions == len(against)


def test_the_published_case_comes_out_right_at_its_own_level():
    prepared = prepare(timeline_of(QUAKE), Settings(events_alone=True), Runtime())
    grouping = regroup(prepared)
    for line in group_summaries(prepared, grouping):
        clashes = group_card(prepared, grouping, line.group).differences
        assert not any(each.number_conflicts or each.opposed for _, each in clashes)


@pytest.mark.parametrize(
    ("rows", "against"),
    [
        ([("A", "08:00", "Quake in Peru: 12 dead"), ("B", "08:20", "Quake in Peru: 19 dead")], True),
        ([("A", "08:00", "Quake in Peru: 12 dead"), ("B", "11:00", "Quake in Peru: 19 dead")], False),
        ([("A", "08:00", "Quake in Peru: 19 dead"), ("B", "11:00", "Quake in Peru: 12 dead")], True),
        ([("A", "08:00", "Quake: 40 missing in Peru"), ("B", "11:00", "Quake: 12 missing in Peru")], False),
        ([("A", "08:00", "Quake in Peru costs $5 million"), ("B", "11:00", "Peru quake: $9 million")], True),
    ],
)
def test_two_values_of_one_hour_or_that_fall_are_a_contradiction(rows, against):
    rows = [(outlet, f"2026-11-01T{time}Z", text, "") for outlet, time, text in rows]
    prepared, grouping, line = one_event(rows)
    ((_, differences),) = group_card(prepared, grouping, line.group).differences
    assert bool(differences.number_conflicts) == against


def test_a_line_has_every_value_with_its_meaning_and_the_newest_one():
    dead = line_of(QUAKE, "dead")
    assert (dead.latest.value, dead.latest.outlet) == (2056, "AP")
    assert [point.value for point in dead.points] == [
        3,
        20,
        103,
        144,
        140,
        690,
        700,
        1000,
        1644,
        2000,
        2056,
        19,
    ]
    meant = {point.value: point.meant for point in dead.points}
    assert (meant[3], meant[140], meant[690], meant[144]) == ("at least", "more than", "more than", "")
    assert {point.value: point.status for point in dead.points if point.status} == {19: "lower"}
    assert [line.head for line in number_lines(timeline_of(QUAKE), range(len(QUAKE)))][:2] == ["dead", "hurt"]


def test_corrected_withdrawn_and_disputed_values_are_marked_in_every_language():
    dead = line_of(EDITS, "dead")
    assert [(point.value, point.status) for point in dead.points] == [
        (14, "corrected"), (14, "withdrawn"), (9, ""), (9, ""),
    ]  # fmt: skip
    assert (dead.latest.value, dead.latest.outlet) == (9, "Gamma")
    clash = [("Delta", "2026-11-01T12:40Z", "Rotura de presa en Harlow: 100-120 muertos", "")]
    last = line_of([*EDITS, *clash], "dead").points[-1]
    assert (last.low, last.high, last.meant, last.status) == (100, 120, "range", "disputed")


@pytest.mark.parametrize(
    "told",
    [
        "Toll corrected to 29 after two bodies of Sulawesi ferry counted twice",
        "Fähre vor Sulawesi: Zahl der Toten auf 29 korrigiert",
        "Ferry de Célèbes : le bilan ramené à 29 morts",
    ],
)
def test_a_toll_that_is_said_to_be_corrected_replaces_higher_ones_of_others(told):
    risen = [
        ("A", "08:00", "Ferry off Sulawesi: 27 dead", ""),
        ("B", "09:00", "Sulawesi: Todesopfer steigen auf 31", ""),
    ]
    dead = line_of(at_times([*risen, ("C", "12:55", told, "")]), "dead")
    assert [(point.value, point.status) for point in dead.points] == [(27, ""), (31, "corrected"), (29, "")]
    assert dead.latest.value == 29


@pytest.mark.parametrize(
    "told",
    [
        "Correctional facility off Sulawesi: 29 dead in ferry now named",
        "Officer Corrigan among 29 dead of Sulawesi ferry",
        "Flags lowered for 29 dead of Sulawesi ferry",
        "Sulawesi revisited: 29 dead of ferry are buried",
    ],
)
def test_words_that_look_like_a_correction_correct_no_toll_of_others(told):
    dead = line_of(
        at_times([("B", "09:00", "Sulawesi ferry: 31 dead", ""), ("C", "12:55", told, "")]), "dead"
    )
    assert [(point.value, point.status) for point in dead.points] == [(31, ""), (29, "lower")]


def test_the_table_of_a_line_is_a_csv_with_times_and_states():
    timeline = timeline_of(EDITS)
    written = as_csv(lines_table(timeline, number_lines(timeline, range(len(EDITS)))))
    lines = list(csv.DictReader(StringIO(written)))
    assert [line["status"] for line in lines] == ["corrected", "withdrawn", "", ""]
    assert [line["value"] for line in lines] == ["14", "14", "9", "9"]
    assert (lines[0]["time"], lines[0]["outlet"], lines[0]["address"]) == ("2026-11-01T08:00Z", "Alpha", DAM)


FERRY = [
    ("A", "06:04", "Ferry sinks off Kiel, 3 dead", ""),
    ("B", "08:05", "Ferry off Kiel: 9 dead, 30 missing", ""),
    ("C", "09:10", "Ferry sinks off Kiel: 14 dead", DAM),
    ("G", "09:12", "Kiel ferry: 11 dead", ""),
    ("C", "11:05", "Ferry sinks off Kiel: 9 dead", DAM),
    ("D", "12:30", "Ferry sinks off Kiel: 17 dead, 19 missing", ""),
    ("E", "13:00", "Ferry toll off Kiel: 17 dead, 19 missing", ""),
    ("F", "15:20", "Ferry off Kiel: 21 dead", ""),
    ("A", "15:45", "Kiel ferry sinking: 21 dead, 15 missing", ""),
]
FIRE = [
    ("A", "13:20", "Fire at Altona paint factory injures five", ""),
    ("B", "13:25", "Brand in Altonaer Farbenfabrik: fünf Verletzte", ""),
    ("C", "14:40", "Großbrand in Farbenfabrik in Altona, sechs Verletzte", ""),
    ("D", "14:55", "Six hurt in Altona paint factory blaze", ""),
]


def at_times(rows):
    return [(outlet, f"2026-11-28T{time}Z", *rest) for outlet, time, *rest in rows]


@pytest.mark.parametrize(
    ("rows", "head", "value", "most"),
    [(FERRY, "dead", 21, "21 dead"), (FIRE, "hurt", 6, "Six hurt"), (FERRY, "missing", 15, "15 missing")],
)
def test_the_grid_and_the_line_have_the_newest_value_although_an_outlet_corrected_its_own(
    rows, head, value, most
):
    prepared, _, line = one_event(at_times(rows))
    column = next(each for each in facts_grid(prepared.timeline, line).columns if each.head == head)
    assert (column.most, column.newest, column.tied) == (most, True, False)
    assert line_of(at_times(rows), head).latest.value == value
    assert head == "missing" or most in prepared.timeline.texts[line.representative]


@pytest.mark.parametrize(
    ("text", "head", "value"),
    [
        ("Flood toll at 32 in Niger state", "dead", 32),
        ("Kelantan flood evacuees rise to 3,112", "evacuated", 3112),
        ("Floods displace nearly 6,000 in Malaysia", "evacuated", 6000),
        ("Forty-two ill in salmonella outbreak", "infected", 42),
        ("Measles cases in Hockley County climb to 14", "infected", 14),
        ("Lista de mortos em desastre chega a 16", "dead", 16),
    ],
)
def test_tolls_are_read_however_a_desk_words_them(text, head, value):
    assert line_of(at_times([("A", "08:00", text, "")]), head).latest.value == value


def test_a_rounded_value_and_one_of_a_day_without_hours_dispute_nothing():
    jobs = [("A", "09:04", "Port Talbot: 480 jobs to go", ""), ("B", "10:00", "Nearly 500 jobs to go", "")]
    assert {point.status for point in line_of(at_times(jobs), "jobs").points} == {""}
    exact = [jobs[0], ("B", "10:00", "Port Talbot: 600 jobs to go", "")]
    assert {point.status for point in line_of(at_times(exact), "jobs").points} == {"disputed"}
    days = [("A", "2026-06-07", "Niger boat: 22 dead", ""), ("B", "2026-06-07", "Niger boat: 29 dead", "")]
    assert {point.status for point in line_of(days, "dead").points} == {""}


def test_money_and_shares_are_those_that_outlets_share_and_no_rivals():
    profit = [
        ("A", "08:00", "Shell profit falls to $4.26 bln", ""),
        ("B", "08:01", "Shell makes $4.26B, volume growth at 4%", ""),
        ("C", "08:03", "Oil major to hand another $3.5bn to investors", ""),
        ("D", "08:04", "Shell profit down 6%, volume up 4%, tax up 9%", ""),
    ]
    for head, value in (("money", 4.26e9), ("per cent", 4)):
        assert {(point.value, point.status) for point in line_of(at_times(profit), head).points} == {
            (value, "")
        }


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("Fähre vor Kiel gesunken: Dutzende vermisst", 24),
        ("Ferry sinks off Kiel: dozens missing", 24),
        ("Ferry se hunde en Kiel: decenas de desaparecidos", 20),
        ("Naufrage à Kiel : des dizaines de disparus", 20),
    ],
)
def test_dozens_are_a_bound_and_no_number(text, least):
    (point,) = line_of(at_times([("A", "06:41", text, "")]), "missing").points
    assert (point.value, point.low, point.high, point.meant) == (least, least, np.inf, "at least")


def test_the_newest_number_is_written_in_the_picture_and_inside_it():
    rows = at_times([
        ("A", "09:15", "At least 31 killed in El Obeid strike", ""),
        ("B", "10:02", "El Obeid strike kills at least 31", ""),
        ("C", "19:20", "El Obeid strike: 44 killed", ""), ("D", "19:30", "El Obeid strike: 45 killed", ""),
    ])  # fmt: skip
    line, times = line_of(rows, "dead"), timeline_of(rows).table["published"]
    chart = number_chart(line, [times[point.row] for point in line.points]).to_dict()
    labels = [each["text"] for layer in chart["layer"] for each in layer.get("data", {}).get("values", ())
              if "text" in each]  # fmt: skip
    assert labels == ["45"]
    assert chart["layer"][0]["encoding"]["y"]["scale"]["domainMax"] > 45
