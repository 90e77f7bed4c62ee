"""Titles, grids, lines, edits and reports go by what is known now."""

import pytest

from core.events.disputes import disputes
from core.events.edited_headlines import headline_edits
from core.events.facts import facts_grid
from core.events.facts_text import NOTE, cell_words, leading_head
from core.events.suggestions import suggestions
from core.runtime import Runtime
from core.text.facts import read_facts
from tests.unit.events.test_facts import cell
from tests.unit.events.test_numbers_over_time import at_times, line_of, one_event, timeline_of

PAGE = "https://alpha.example/fire"
MALL = [
    ("A", "08:00", "At least 5 killed in fire at Essen hostel, police say", PAGE),
    ("B", "08:40", "Fire at Essen hostel leaves 3 dead", ""),
    ("C", "08:50", "Essen hostel blaze kills FIVE", ""),
    ("A", "10:10", "3 killed in fire at Essen hostel; police retract earlier toll of 5", PAGE),
    ("D", "11:00", "Hostel fire in Essen: three dead and up to 14 injured", ""),
    ("B", "12:30", "Fire at Essen hostel leaves 3 dead, 13 wounded", ""),
    ("E", "15:00", "Fourth victim dies after Essen hostel fire", ""),
    ("F", "15:30", "Brand in Essener Wohnheim: viertes Opfer gestorben", ""),
]
QUAKE = [
    ("A", "07:00", "Magnitude 6.1 earthquake strikes northern Chile", ""),
    ("B", "07:20", "Strong earthquake shakes northern Chile; no immediate reports of deaths", ""),
    ("C", "09:00", "Al menos dos muertos por el terremoto en el norte de Chile", ""),
    ("D", "11:00", "Chile earthquake: five dead and dozens injured in the north", ""),
    ("E", "13:00", "При землетрясении в Чили погибли семь человек", ""),
]
TRAM = [
    ("A", "08:00", "Forty hurt as two buses collide in Graz", ""),
    ("B", "08:20", "At least a dozen injured in Graz bus collision", ""),
    ("C", "09:30", "Zusammenstoß zweier Busse in Graz: 14 Menschen wurden verletzt", ""),
    ("A", "10:10", "Correction: Graz bus crash injured 14, not 40", ""),
]


def test_a_withdrawn_toll_stands_nowhere_as_a_value():
    prepared, _, line = one_event(at_times(MALL))
    timeline, dead = prepared.timeline, line_of(at_times(MALL), "dead")
    assert [(point.value, point.status) for point in dead.points if point.outlet == "A"] == [
        (5, "corrected"), (3, ""),
    ]  # fmt: skip
    assert dead.latest.value == 4
    grid = facts_grid(timeline, line)
    assert "toll of" not in cell_words(cell(grid, "A", "dead")).casefold()
    assert next(column for column in grid.columns if column.head == "dead").newest
    (edit, *_) = headline_edits(timeline, line.rows)
    assert [said for said in edit.numbers if "dead" in said] == ["changed at least 5 → 3 dead"]
    assert timeline.texts[line.representative] == MALL[6][2]
    (best,) = suggestions(prepared, [line.rows])
    assert best.row == 6


def test_a_bound_that_a_later_number_keeps_is_no_contradiction_and_not_the_latest():
    rows = at_times([
        ("A", "08:00", "Storm in Gent wounds nine", ""), ("B", "09:00", "Storm in Gent wounds 20", ""),
        ("C", "10:00", "Storm in Gent wounds up to 36", ""), ("D", "12:00", "Storm in Gent: 34 hurt", ""),
    ])  # fmt: skip
    prepared, grouping, line = one_event(rows)
    assert line_of(rows, "hurt").latest.value == 34
    assert not next(iter(disputes(prepared, grouping, [line], Runtime()).values())).contradictions


@pytest.mark.parametrize(("rows", "title"), [(QUAKE, 3), (TRAM, 3)])
def test_titles_have_the_latest_agreed_facts_in_the_language_of_the_event(rows, title):
    prepared, _, line = one_event(at_times(rows))
    assert line.representative == title
    (best,) = suggestions(prepared, [line.rows])
    assert best.row == title


def test_a_score_is_no_sum_and_one_value_from_either_side():
    rows = at_times([
        ("A", "17:30", "Half-time: Leeds 1-0 Hull", ""), ("A", "19:20", "Leeds 2-3 Hull: Diaz stuns all", ""),
        ("B", "19:30", "Diaz sinks Leeds 3-2", ""),
        ("C", "19:40", "Hull dreht Spiel: 3:2 nach 0:1-Rückstand", ""),
    ])  # fmt: skip
    score = line_of(rows, "score")
    assert {point.value for point in score.points} == {3}
    assert [point.said for point in score.points] == ["2-3", "3-2", "3-2"]
    assert not any(point.status for point in score.points)
    rival = line_of([*rows, *at_times([("D", "19:45", "Leeds 3-2 Hull", "")])], "score")
    assert rival.points[-1].status == "disputed"


def test_votes_in_every_wording_are_one_value():
    rows = at_times([
        ("A", "10:00", "Le Sénat adopte la loi par 187 voix contre 155", ""),
        ("B", "10:10", "French senate passes bill by 187 votes to 155", ""),
        ("C", "10:20", "Frankreich: Senat billigt Gesetz mit 187 zu 155 Stimmen", ""),
        ("D", "10:30", "Lawmakers back bill 187-155; 9 abstain", ""),
    ])  # fmt: skip
    prepared, _, line = one_event(rows)
    votes = next(column for column in facts_grid(prepared.timeline, line).columns if column.head == "votes")
    assert (votes.outlets, votes.values) == (4, 1)
    assert {point.value for point in line_of(rows, "votes").points} == {187}


@pytest.mark.slow
def test_an_article_that_mentions_a_number_no_more_has_not_withdrawn_it():
    rows = at_times([
        ("A", "08:00", "Ferry with more than 200 aboard burns off Kiel", PAGE),
        ("B", "08:30", "Ferry burns off Kiel with 214 people on board", ""),
        ("A", "10:00", "Ferry fire off Kiel: what we know", PAGE),
    ])  # fmt: skip
    assert not any(point.status for point in line_of(rows, "aboard").points)
    assert line_of(rows, "aboard").latest.value == 214
    prepared, _, line = one_event(rows)
    assert "withdrawn" not in cell_words(cell(facts_grid(prepared.timeline, line), "A", "aboard"))
    rows[2] = (*rows[2][:2], "Police withdraw number aboard Kiel ferry", PAGE)
    assert [point.status for point in line_of(rows, "aboard").points] == ["withdrawn", ""]


def test_dozens_are_changed_as_a_word_and_about_thirty_is_about():
    rows = at_times(
        [("A", "08:00", "Dozens missing off Kiel", PAGE), ("A", "09:00", "36 missing off Kiel", PAGE)]
    )
    (edit,) = headline_edits(timeline_of(rows), range(2))
    assert edit.numbers[0].casefold() == "changed dozens → 36 missing"
    for text in (
        "Naufrage à Kiel : une trentaine de disparus",
        "Naufragio en Kiel: una decena de desaparecidos",
    ):
        (point,) = line_of(at_times([("A", "08:00", text, "")]), "missing").points
        assert point.meant == "about"


def test_a_forecast_is_no_rival_of_a_loss():
    rows = at_times([
        ("A", "07:00", "Norvind quarterly loss widens to $1.4 bln", ""),
        ("B", "08:00", "Norvind slashes revenue forecast to $9 billion", ""),
    ])  # fmt: skip
    prepared, grouping, line = one_event(rows)
    assert not next(iter(disputes(prepared, grouping, [line], Runtime()).values())).contradictions


MARKET = [
    ("A", "09:15", "31 killed in El Obeid market strike on eve of peace talks", ""),
    ("B", "10:02", "El Obeid market strike kills 31", ""),
]


@pytest.mark.parametrize(
    "risen",
    [
        "Death toll in El Obeid market strike rises to 44",
        "El Obeid market strike toll rises from 31 to at least 44",
        "Nach Angriff auf Markt in El Obeid ist die Zahl der Toten auf 44 gestiegen",
        "Monte à 44 le bilan des morts à El-Obeid",
        "Sube a 44 el número de muertos en el ataque al mercado de El Obeid",
        "Sale a 44 il bilancio dei morti a El Obeid",
        "Sobe para 44 o número de mortos em El Obeid",
        "Выросло до 44 число погибших при ударе по рынку в Эль-Обейде",
    ],
)
def test_a_toll_that_one_outlet_says_rose_leads_and_a_plain_higher_one_does_not(risen):
    def leads(*told, before=MARKET):
        rows = at_times([*before, ("C", "19:20", told[0], ""), *told[1:]])
        prepared, _, line = one_event(rows)
        grid = facts_grid(prepared.timeline, line)
        (dead,) = (column for column in grid.columns if column.head == "dead")
        return line_of(rows, "dead").latest.value, "44" in dead.most, dead.newest

    assert leads(risen) == (44, True, True)
    assert leads("El Obeid market strike: 44 killed") == (31, False, False)
    assert leads("Strike hits El Obeid market, 44 dead") == (31, False, False)
    assert leads("Passau: 44 Tote nach Angriff in El Obeid") == (31, False, False)
    least = [(*row[:2], row[2].replace("31", "at least 31"), "") for row in MARKET]
    assert leads("El Obeid market strike: 44 killed", before=least) == (44, True, True)
    # Two who go on with another number are believed more than one.
    others = [(name, "21:00", text, "") for name, (_, _, text, _) in zip("DE", MARKET, strict=True)]
    assert leads(risen, *others)[0] == 31


def test_a_toll_behind_its_number_is_told_in_the_order_of_its_words():
    (fact,) = (
        fact for fact in read_facts("Sube a 44 el número de muertos en El Obeid") if fact.column == "dead"
    )
    assert fact.said == "44 muertos"


@pytest.mark.parametrize(
    "text",
    [
        "Town marks anniversary of a fire that killed 63",
        "Rebuilding after last year's quake that killed 12",
        "Jets grounded since the 2019 crash that killed 157",
        "Trial opens a decade after the blaze that killed 194",
        "Court hears of 63 killed ten years ago",
        "Prozess um Zugunglück, das im vergangenen Jahr zwölf Tote forderte",
        "Gedenken am Jahrestag des Brandes mit 63 Toten",
        "Un an après l'incendie qui a fait 63 morts",
        "Séisme de l'an dernier qui a fait 12 morts",
        "En el aniversario del incendio que dejó 63 muertos",
        "Terremoto del año pasado que dejó 12 muertos",
        "Nell'anniversario del rogo che uccise 63 persone",
        "Un anno dopo il crollo che ha fatto 43 morti",
        "No aniversário da enchente que deixou 12 mortos",
        "Um ano depois da enchente que matou 12 pessoas",
        "В годовщину пожара, в котором погибли 63 человека",
    ],
)
def test_the_toll_of_an_earlier_event_is_no_toll_of_this_one(text):
    assert not [fact.said for fact in read_facts(text) if fact.column == "dead"]


@pytest.mark.parametrize(
    "text",
    [
        "Five killed in protest on anniversary of uprising",
        "Last year 5 people died in the canal",
        "Two days after quake, 5 dead are counted",
    ],
)
def test_a_toll_of_now_next_to_a_word_of_time_is_one(text):
    assert [fact.value.value for fact in read_facts(text) if fact.column == "dead"] == [5]


def test_the_first_line_of_a_grid_says_what_stands_in_it():
    rows = at_times([*MARKET, ("C", "19:20", "Death toll in El Obeid market strike rises to 44", "")])
    prepared, _, line = one_event(rows)
    grid = facts_grid(prepared.timeline, line)
    assert next(column for column in grid.columns if column.head == "dead").newest
    assert "newest" in leading_head(grid).casefold()
    assert leading_head(facts_grid(prepared.timeline, one_event(rows[:2])[2])) == "Said most often"
    # What shares a letter, and what has one, is said as it is: a town and its country, and one outlet's.
    assert "country" in NOTE
    assert "one outlet alone" in NOTE
