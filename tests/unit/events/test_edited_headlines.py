"""What an outlet edited or corrected: one origin, the last value, and the same counts everywhere."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.events.cards import group_card, group_summaries
from core.events.disputes import disputes
from core.events.edited_headlines import headline_edits
from core.events.export import draw_map, report
from core.events.facts import agreed_number, facts_grid
from core.events.facts_html import grid_html
from core.events.facts_picture import facts_picture, facts_words
from core.events.facts_text import cell_words, grid_object, grid_table, grid_text
from core.events.grouping import Settings, prepare, regroup
from core.events.report_times import edit_times
from core.events.suggestions import suggestions
from core.results.delimited import delimited
from core.results.table_files import as_csv
from core.runtime import Runtime
from tests.unit.events.test_facts import cell, lines_of

DAM, OTHER = "https://alpha.example/news/dam", "https://beta.example/dam"
FIRST, SECOND = "Dam bursts in Harlow valley killing 12", "Dam bursts in Harlow valley killing 12 people"
LAST = "Dam bursts in Harlow valley killing 19"
EDITED = [
    ("Alpha", "2026-11-01T08:00Z", FIRST, DAM),
    ("Alpha", "2026-11-01T09:00Z", SECOND, f"{DAM}?utm_source=rss"),
    ("Alpha", "2026-11-01T12:00Z", LAST, DAM),
    ("Beta", "2026-11-01T13:00Z", "Harlow valley dam burst: 19 dead", OTHER),
]


def timeline_of(*rows):
    return load(
        delimited([["publisher", "published", "headline", "url"], *map(list, rows)]).encode(), "a.csv"
    )


def grid_of(*rows):
    timeline = timeline_of(*rows)
    (line,) = lines_of(timeline)
    return timeline, line, facts_grid(timeline, line)


def column(grid, head):
    return next(column for column in grid.columns if column.head == head)


def test_an_edited_headline_is_one_origin_with_the_time_of_the_edit_wherever_the_grid_is_shown():
    timeline, _, grid = grid_of(*EDITED)
    assert (grid.reports, grid.origins) == (4, 2)
    assert [row.origin for row in grid.rows] == [1, 2]
    assert grid.rows[0].edits == ("09:00", "12:00")
    assert grid.lead.startswith(
        "4 reports, 2 origins. Alpha reported first; the last outlet followed 5 h later"
    )
    assert "edited" in {copy.why.rpartition(", ")[2] for copy in grid.copies}
    words = {"title": "", "source": ""}
    pictures = [facts_picture(grid, timeline.texts, width=width, **words).decode() for width in (1280, 640)]
    shown = (
        grid_text(grid, timeline.texts),
        grid_html(grid, timeline.texts),
        as_csv(grid_table(grid, timeline)),
        *(" ".join(ElementTree.fromstring(picture).itertext()) for picture in pictures),
    )
    for said in shown:
        assert "edited 12:00" in said
        assert "killing 12" in said  # what it said first
    assert "Alpha: edited 12:00" in facts_words(grid)
    alpha, beta = grid_object(grid, timeline.texts)["outlets"]
    assert (alpha["edited"].startswith("edited 12:00"), beta["edited"]) == (True, "")


def test_a_number_that_its_outlet_corrected_is_no_disagreement():
    _, _, grid = grid_of(*EDITED[:3])
    dead = column(grid, "dead")
    assert (dead.differs, dead.tied, dead.outlets, dead.of) == (False, False, 1, 1)
    assert "19" in dead.most
    assert cell_words(cell(grid, "Alpha", "dead")) == "killing 12 → killing 19, 12:00"
    # Two articles of the outlet, and no address at all.
    for addresses in ((DAM, OTHER), ("", "")):
        rows = [(*row[:3], link) for row, link in zip((EDITED[0], EDITED[2]), addresses, strict=True)]
        assert not column(grid_of(*rows)[2], "dead").differs
    # Another outlet that still says 12 does disagree.
    held = ("Gamma", "2026-11-01T14:00Z", "Harlow: 12 dead", "")
    assert column(grid_of(*EDITED[:3], held)[2], "dead").differs


@pytest.mark.parametrize(
    ("first", "last", "head"),
    [
        ("Bridge in Harlow costs $5 million", "Bridge in Harlow costs $8 million", "money"),
        ("Rents in Harlow up 5 percent", "Rents in Harlow up 8 percent", "per cent"),
        ("Strike in Harlow to last 3 days", "Strike in Harlow to last 8 days", "how long"),
        ("Harlow beat Ayr 3-1", "Harlow beat Ayr 8-1", "score"),
        ("Unglück bei Ulm: drei Verletzte", "Unglück bei Ulm: acht Verletzte", "hurt"),
        ("Séisme au Pérou : trois morts", "Séisme au Pérou : des dizaines de morts", "dead"),
    ],
)
def test_a_number_of_any_kind_is_the_one_of_the_last_edit(first, last, head):
    _, _, grid = grid_of(("A", "2026-11-01T08:00Z", first, DAM), ("A", "2026-11-01T09:00Z", last, DAM))
    shown = column(grid, head)
    assert (grid.origins, shown.differs, shown.outlets, shown.values) == (1, False, 1, 1)
    assert shown.most.split()[0] not in first
    before, after = cell(grid, "A", head)
    assert (before.when, after.when) == ("", "09:00") or head == "dead"  # "dozens" correct no number


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("Pipeline spills 1,200 barrels", "Pipeline spills 120 barrels", ["changed 1,200 → 120"]),
        ("Canicule : 12 départements", "Canicule : 17 départements, ce jeudi", ["changed 12 → 17"]),
        (
            "Terremoto, scossa 4.4 a Norcia",
            "Terremoto, scossa 4.1 tra Norcia e Cascia",
            ["changed 4.4 → 4.1"],
        ),
        ("Halden recalls 38,000 EVs", "Halden recalls 83,000 EVs", ["changed 38,000 → 83,000"]),
        ("Eight feared dead as dam breaches", "Five dead as dam breaches", ["changed 8 feared → 5 dead"]),
        ("Vigevano, donna uccisa in casa", "Vigevano, il marito: «Non sono stato io»", []),
    ],
)
def test_an_edit_says_which_number_was_exchanged_whatever_it_counts(first, last, said):
    times = ("2026-09-07T08:00Z", first), ("2026-09-07T09:00Z", last)
    (edit,) = headline_edits(timeline_of(*(("Alpha", time, text, DAM) for time, text in times)), range(2))
    assert [number[: len(each)] for number, each in zip(edit.numbers, said, strict=True)] == said


def test_a_doubt_that_an_edit_took_back_is_none():
    _, _, grid = grid_of(
        ("A", "2026-11-01T08:00Z", "Bridge in Harlow may close", DAM),
        ("A", "2026-11-01T09:00Z", "Bridge in Harlow closed", DAM),
        ("B", "2026-11-01T09:30Z", "Harlow bridge may be closed", ""),
        ("C", "2026-11-01T09:40Z", "Harlow bridge may have to close", ""),
    )
    assert cell(grid, "A", "how sure") == ()


def test_times_that_do_not_tell_when_leave_the_edit_without_one():
    for times in (("", ""), ("2026-11-01", "2026-11-01"), ("2026-11-01T08:00Z", "2026-11-01T08:00Z")):
        rows = [("Alpha", time, text, DAM) for time, text in zip(times, (FIRST, LAST), strict=True)]
        _, _, grid = grid_of(*rows)
        assert (grid.origins, grid.rows[0].edited) == (1, "edited")
        assert "19" in column(grid, "dead").most
    rows = [("Alpha", time, text, DAM) for time, text in (("2026-11-01", FIRST), ("2026-11-03", LAST))]
    assert grid_of(*rows)[2].rows[0].edited == "edited 3 Nov 2026"


@pytest.mark.parametrize(
    ("rows", "articles", "outlets"),
    [
        # The outlet's own words within a day, but for the number.
        ([("A", "08:00", FIRST, ""), ("A", "09:00", LAST, "")], 1, 1),
        ([("A", "08:00", FIRST, "https://a.example/"), ("A", "09:00", LAST, "https://a.example/")], 1, 1),
        # Two articles, other outlets, other words, another day of the week.
        ([("A", "08:00", FIRST, DAM), ("A", "09:00", LAST, OTHER)], 2, 1),
        ([("A", "08:00", FIRST, ""), ("B", "09:00", LAST, "")], 2, 2),
        ([("A", "08:00", FIRST, DAM), ("B", "09:00", LAST, DAM)], 2, 2),
        ([("", "08:00", FIRST, ""), ("", "09:00", LAST, "")], 2, 2),
        ([("A", "08:00", FIRST, ""), ("A", "09:00", "Harlow: minister visits flooded valley", "")], 2, 1),
        (
            [("A", "08:00", "Ayr strike on Monday 4 May", ""), ("A", "09:00", "Ayr strike on Friday", "")],
            2,
            1,
        ),
        # Without a name the address says whose they are.
        ([("", "08:00", FIRST, DAM), ("", "09:00", LAST, DAM)], 1, 1),
        ([("A", "08:00", FIRST, DAM), ("", "09:00", LAST, DAM)], 1, 1),
    ],
)
def test_what_is_an_edit_and_what_another_report(rows, articles, outlets):
    _, _, grid = grid_of(*((name, f"2026-11-01T{time}Z", text, link) for name, time, text, link in rows))
    assert (grid.reports - len(grid.copies), len(grid.rows)) == (articles, outlets)
    assert grid.origins <= outlets, "an outlet is never two origins"


def test_a_report_that_returns_every_day_is_no_edit():
    rows = [("Wire", f"2026-11-0{day}T08:00Z", f"Covid: {day}04 new cases in Ohio", "") for day in (1, 2, 3)]
    grid = grid_of(*rows)[2]
    assert (grid.copies, grid.reports, grid.origins) == ((), 3, 1)


@pytest.fixture(scope="module")
def prepared():
    rows = [
        *EDITED,
        ("Alpha", "2026-11-01T12:00Z", "Parliament votes on schools", "https://alpha.example/vote"),
    ]
    return prepare(timeline_of(*rows), Settings(), Runtime())


def test_list_card_report_and_best_headline_take_the_last_edit(prepared):
    grouping = regroup(prepared, 0.5)
    line = group_summaries(prepared, grouping)[0]
    texts = prepared.timeline.texts
    assert (line.size, line.publishers) == (4, ("Alpha", "Beta"))
    assert texts[line.representative] not in (FIRST, SECOND)
    card = group_card(prepared, grouping, line.group)
    assert not any(differences.number_conflicts for _, differences in card.differences)
    assert not any("conflict" in mark.kind for _, each in card.differences for mark in each.right_marks)
    (dispute,) = disputes(prepared, grouping, [line], Runtime()).values()
    assert dispute.contradictions == 0
    (best,) = suggestions(prepared, [line.rows])
    assert "19" in texts[best.row]
    page = report(prepared, grouping, draw_map(prepared, "pca.v1", Runtime())).decode()
    assert "edited 12:00" in page
    assert "4 reports, 2 origins" in page


@pytest.mark.slow
def test_best_headline_and_facts_count_the_same_outlets():
    rows = [
        ("A", "2026-11-01T08:00Z", "Quake kills 3 in Peru", ""),
        ("B", "2026-11-01T08:10Z", "Quake kills 3 in Peru", ""),  # a copy, of another outlet
        ("C", "2026-11-01T09:00Z", "Peru: 5 dead in quake", ""),
        ("A", "2026-11-01T10:00Z", "Toll of quake in Peru rises to 5 dead", ""),
        ("D", "2026-11-01T11:00Z", "Peru mourns after strong quake", ""),
    ]
    timeline = timeline_of(*rows)
    (line,) = lines_of(timeline)
    found = agreed_number(timeline, line.rows, line.reports)
    of_grid = column(facts_grid(timeline, line), "dead")
    assert found.column == replace(
        of_grid, colour=found.column.colour
    )  # colours run on from column to column
    assert (found.column.outlets, found.column.of) == (2, 4)
    prepared = prepare(timeline, Settings(), Runtime())
    (best,) = suggestions(prepared, [line.rows])
    assert "by 2 of 4 outlets" in best.reason


DEAL = "Acme buys Globex for $3bn"


def test_copies_count_as_one_origin_for_most_state_and_best_headline():
    timeline, line, grid = grid_of(
        ("Local", "2025-03-01T10:00Z", DEAL, ""),
        ("Post", "2025-03-01T10:05Z", DEAL, ""),
        ("Globe", "2025-03-01T10:06Z", DEAL, ""),
        ("BBC", "2025-03-01T10:10Z", "Acme to acquire rival Globex in $4bn deal, chief says", ""),
        ("Guardian", "2025-03-01T10:20Z", "Globex sold to Acme: $4 billion price surprises market", ""),
    )
    money = column(grid, "money")
    assert (money.most, money.outlets, money.of, money.counted) == ("$4bn", 2, 3, "origins")
    assert all((each.of, each.folded) == (3, True) for each in grid.columns)
    picture = facts_picture(grid, timeline.texts, title="", source="", width=1280).decode()
    for shown in (grid_html(grid, timeline.texts), facts_words(grid), picture):
        assert "2 of 3 origins" in shown
        assert "of 5" not in shown
    assert "2 of 3" in grid_text(grid, timeline.texts)
    (best,) = suggestions(prepare(timeline, Settings(), Runtime()), [line.rows])
    assert "by 2 of 3 origins" in best.reason
    assert "outlets" not in best.reason


def test_one_text_in_other_words_is_no_second_voice():
    grid = grid_of(
        ("Daily", "2025-05-01T08:00Z", "Explosion in Kabul kills 12", "https://daily.example/1"),
        ("Daily", "2025-05-01T08:00Z", "Explosion in Kabul kills 15", "https://daily.example/2"),
        ("BBC", "2025-05-01T09:40Z", "Kabul explosion kills 15", "https://bbc.example/2"),
        ("AP", "2025-05-01T09:50Z", "Kabul explosion kills 15 people", "https://ap.example/2"),
    )[2]
    assert {(each.outlets, each.of, each.counted) for each in grid.columns} == {(2, 2, "origins")}


def test_copies_of_one_number_alone_agree_on_nothing():
    timeline, line, grid = grid_of(*((name, "2025-03-01T10:00Z", DEAL, "") for name in "ABC"))
    assert (column(grid, "money").outlets, column(grid, "money").of) == (1, 1)
    assert agreed_number(timeline, line.rows, line.reports) is None
    several = [("A", "2025-03-01T09:00Z", f"{DEAL} after talks number {at}", "") for at in (8, 9, 10)]
    others = [
        ("B", "2025-03-01T10:00Z", "Globex goes to Acme at $4bn", ""),
        ("C", "2025-03-01T11:00Z", "Price of Globex takeover by Acme: $4 billion", ""),
    ]
    money = column(grid_of(*several, *others)[2], "money")
    assert (money.most, money.outlets, money.of) == ("$4bn", 2, 3)


def uncoloured(column):
    """A column with one colour: a grid counts them on from column to column."""
    also = tuple(replace(each, colour=min(each.colour, 0)) for each in column.also)
    return replace(column, colour=min(column.colour, 0), also=also)


# The network reads no numbers, and takes minutes for the large events of the second sample.
@pytest.mark.parametrize(
    ("name", "network"), [("iss", True), pytest.param("uci", False, marks=pytest.mark.slow)]
)
def test_they_count_the_same_in_the_samples(name, network):
    sample = load_sample(name)
    prepared = prepare(sample.select(np.arange(min(len(sample), 1_500))), Settings(), Runtime())
    compared = 0
    for line in group_summaries(prepared, regroup(prepared))[:12]:
        found = agreed_number(prepared.timeline, line.rows, line.reports)
        grid = facts_grid(prepared.timeline, line, network=network)
        shown = {column.head: column for column in grid.columns}
        if found is not None and found.column.head in shown:
            assert uncoloured(shown[found.column.head]) == uncoloured(found.column)
            compared += 1
    assert compared


def rising(*numbers):
    return [
        (f"Outlet {at}", f"2026-11-01T{at + 6:02}:00Z", f"Quake in Peru: {number} dead", "")
        for at, number in enumerate(numbers)
    ]


def test_the_newest_figure_of_a_rising_toll_leads_and_the_others_are_earlier():
    _, _, grid = grid_of(*rising(12, 20, 34))
    dead = column(grid, "dead")
    assert (dead.most, dead.newest, dead.differs, dead.tied) == ("34 dead", True, False, False)
    assert [cell_words(row.cells[grid.columns.index(dead)]) for row in grid.rows] == [
        "12 dead (earlier)", "20 dead (earlier)", "34 dead",
    ]  # fmt: skip
    assert "34 dead, 1 of 3, the newest" in facts_words(grid)
    assert "different values" not in grid_html(grid, [""] * 3)


@pytest.mark.parametrize("numbers", [(12, 34), (34, 20, 12), (12, 34, 15, 40, 20, 50), (12, 12, 12)])
def test_numbers_that_do_not_rise_from_report_to_report_are_as_they_were(numbers):
    assert not column(grid_of(*rising(*numbers))[2], "dead").newest


def test_a_toll_of_one_day_without_hours_is_not_known_to_rise():
    rows = [(name, "2026-11-01", text, link) for name, _, text, link in rising(12, 20, 34)]
    assert column(grid_of(*rows)[2], "dead").differs


def test_a_history_follows_the_article_when_a_wording_stands_in_another_event():
    told = (("08:00Z", "Eight feared dead"), ("09:40Z", "Five dead"), ("15:40Z", "Seven dead"))
    rows = [("Alpha", f"2026-11-01T{time}", f"{words} as Harlow dam bursts", DAM) for time, words in told]
    timeline = timeline_of(*rows)
    edits = headline_edits(timeline, (0, 2))
    assert [(edit.before, edit.after) for edit in edits] == [(0, 1), (1, 2)]
    assert [edit.numbers for edit in edits] == [("changed 8 feared → 5 dead",), ("changed 5 → 7 dead",)]
    assert "09:40" in edit_times(timeline, (0, 2)).replaced[0]


def test_an_edit_says_of_whom_a_number_was_as_the_headline_does():
    rows = [
        ("Alpha", "2026-11-01T08:00Z", "Nine children locked in Harlow school", DAM),
        ("Alpha", "2026-11-01T09:00Z", "Harlow school: what we know so far", DAM),
    ]
    (edit,) = headline_edits(timeline_of(*rows), (0, 1))
    assert "Nine children" in edit.numbers[0]
