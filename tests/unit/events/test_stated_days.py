from datetime import date

import pytest

from core.events.facts import NOT_READ, WHEN
from core.events.facts_text import cell_words, grid_table
from core.events.stated_days import read_days
from core.results.table_files import as_csv
from tests.unit.events.test_facts import cell, event

WEDNESDAY = date(2026, 5, 6).toordinal()


def said(text, language="en", today=WEDNESDAY, **given):
    return [text[each.start : each.end] for each in read_days(text, language, today, **given) if each.sure]


def days(text, language="en", **given):
    (own,) = read_days(text, language, WEDNESDAY, **given)
    return {date.fromordinal(day).isoformat()[5:] for day in own.days}


@pytest.mark.parametrize(
    ("language", "text", "words", "on"),
    [
        ("en", "Vote on 3 May after long delay", "3 May", {"05-03"}),
        ("en", "Referendum is postponed to Oct. 9, says court", "Oct. 9", {"10-09"}),
        ("en", "Polls open Saturday as rivals trade blows", "Saturday", {"05-02", "05-09"}),
        ("en", "Strike called off last Monday", "last Monday", {"05-04"}),
        ("en", "Army keeps the bridge closed until Friday", "until Friday", {"05-08"}),
        ("en", "Chancellor to Quit on Sunday, Sources Say", "Sunday", {"05-03", "05-10"}),
        ("en", "Minister resigned yesterday after scandal", "yesterday", {"05-05"}),
        ("de", "Abstimmung am 12. Juni verschoben", "12. Juni", {"06-12"}),
        ("de", "Bahnstreik ab Montag: Was Reisende wissen müssen", "ab Montag", {"05-04", "05-11"}),
        ("de", "Das Urteil fällt am Donnerstagabend", "Donnerstagabend", {"04-30", "05-07"}),
        ("de", "Minister trat gestern zurück, Kanzler schweigt", "gestern", {"05-05"}),
        ("fr", "Le vote est reporté au 9 octobre", "9 octobre", {"10-09"}),
        ("fr", "Grève des trains dès lundi en Belgique", "dès lundi", {"05-04", "05-11"}),
        ("fr", "Le ministre a démissionné hier soir à Paris", "hier", {"05-05"}),
        ("it", "Sciopero il 4 ottobre, treni fermi", "4 ottobre", {"10-04"}),
        ("it", "Si vota domenica 10 maggio in Liguria", "domenica 10 maggio", {"05-10"}),
        ("it", "Linea interrotta, treni fermi fino a lunedì", "fino a lunedì", {"05-11"}),
        ("es", "La huelga empieza el lunes en todo el país", "lunes", {"05-04", "05-11"}),
        ("es", "Elecciones el 12 de octubre de 2026 en Chile", "12 de octubre de 2026", {"10-12"}),
        ("es", "El ministro dimitió ayer tras el escándalo", "ayer", {"05-05"}),
        ("pt", "Julgamento adiado para 9 de outubro", "9 de outubro", {"10-09"}),
        ("pt", "Ministro se demite na quinta após escândalo", "quinta", {"04-30", "05-07"}),
        ("pt", "Atravessar o Tejo fica mais caro a partir de hoje", "hoje", {"05-06"}),
        ("ru", "Выборы перенесли на 9 октября", "9 октября", {"10-09"}),
        ("ru", "Суд огласит приговор в пятницу", "пятницу", {"05-01", "05-08"}),
        ("ru", "Министр подал в отставку вчера вечером", "вчера", {"05-05"}),
    ],
)
def test_a_day_is_read_in_each_language_and_which_days_it_may_be(language, text, words, on):
    assert said(text, language) == [words]
    assert days(text, language) == on


@pytest.mark.parametrize(
    "text",
    [
        "Worst flood since 1990 hits town",
        "1914 war memorial vandalised",
        "11-day siege ends in town",
        "Floods in the 1990s killed dozens",
        "9/11 trial delayed again",
        "July 4 parade shooting suspect pleads guilty",
        "Jan. 6 rioter pardoned by president",
        "Trial over killings of 4 May 1979 begins",
        "Monday Night Football draws record crowd",
        "Black Friday sales disappoint retailers",
        "Sunday Times editor quits after row",
        "Sheffield Wednesday sack coach",
        "USA Today lays off dozens",
        "Churches open every Sunday",
        "Today's horoscope for all",
        "Premier says May 12 people died in flood",
        "17 April Front spurns truce offer",
        "Die Welt am Sonntag berichtet über Skandal",
        "Hier wohnt der Kanzler",
        "Le Journal du dimanche change de patron",
        "Saint-Aubin raconte son dimanche noir",
        "Domenica In, ascolti in calo",
        "Al quinto set ho smesso di guardare",
        "Un banco sin capitán en la calle 5 de Mayo",
        "Equipe cai para a segunda divisão do campeonato",
        "Защитники окружающей среды вышли на улицы",
    ],
)
def test_a_name_a_habit_a_year_and_what_lasts_are_no_day(text):
    assert said(text) == []


def test_early_in_the_day_of_greenwich_it_is_still_yesterday_in_america():
    assert days("Minister quits today after scandal", early=True) == {"05-05", "05-06"}
    assert days("Minister tritt heute nach Skandal zurück", "de", early=True) == {"05-06"}


def test_a_grid_has_one_value_for_a_weekday_and_its_date_and_none_where_a_day_is_in_doubt():
    timeline, grid = event(
        ("A", "2026-05-06 12:00", "Referendum on dam set for Sunday"),
        ("B", "2026-05-11 12:00", "Dam referendum: turnout was low on Sunday"),
        ("C", "2026-05-07 12:00", "Das Referendum über den Staudamm ist am 10. Mai"),
        ("D", "2026-05-07 13:00", "Dam referendum postponed to 9 October"),
        ("E", "2026-05-08 13:00", "Sunday: referendum on dam, and more"),
        ("F", "2026-05-08 14:00", "Dam referendum splits village"),
    )
    at = [column.head for column in grid.columns].index(WHEN)
    assert [cell_words(cell(grid, outlet, WHEN)) for outlet in "ABCDEF"] == [
        "Sunday (10 May)",
        "Sunday (10 May)",
        "10. Mai",
        "9 October",
        "",
        "",
    ]
    assert [row.unread[at] for row in grid.rows if row.outlet in "EF"] == [NOT_READ, ""]
    same = {cell(grid, outlet, WHEN)[0].colour for outlet in "ABC"}
    assert len(same) == 1
    assert same != {cell(grid, "D", WHEN)[0].colour}
    assert (grid.columns[at].outlets, grid.columns[at].of) == (3, 6)
    assert "10. Mai" in as_csv(grid_table(grid, timeline))


def test_days_without_a_report_s_own_day_agree_in_their_words_alone():
    lines = ("Vote on dam on Sunday", "Dam vote is on Sunday", "Dam vote on 12 October", "Dam vote today")
    _, grid = event(*((outlet, "", text) for outlet, text in zip("ABCD", lines, strict=True)))
    assert [cell_words(cell(grid, outlet, WHEN)) for outlet in "ABCD"] == [
        "Sunday",
        "Sunday",
        "12 October",
        "",
    ]


def test_one_outlet_with_a_day_makes_no_column():
    _, grid = event(
        ("A", "2026-05-06", "Referendum on dam set for Sunday"), ("B", "2026-05-06", "Dam referendum looms")
    )
    assert WHEN not in [column.head for column in grid.columns]
