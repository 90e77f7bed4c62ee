import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from core.text import aliases
from core.text.aliases import alias_rows, alias_sets
from core.text.gazetteer import place_rows, with_parents
from core.text.name_tables import name_form


def conflict(left, right):
    """Whether both name a place, and none of one is, contains, lies in or is near any of the other."""
    apart = with_parents(left).isdisjoint(right) and with_parents(right).isdisjoint(left)
    return bool(left and right) and apart


def _places(text: str, *others: str) -> tuple[int, ...]:
    return place_rows([text, *others])[0]


@pytest.mark.parametrize(
    "texts",
    [
        ["Two dead in Moscow", "Zwei Tote in Moskau", "Deux morts à Moscou", "Dos muertos en Moscú"],
        [
            "Due morti a Mosca",
            "Dois mortos em Moscovo",
            "Двое погибших в Москве",
            "Мэр Москвы ушёл",
            "IN MOSKAU",
        ],
        ["Flood in Cologne", "Hochwasser in Köln", "Inondation à Cologne", "Alluvione a Colonia"],
        [
            "Quake hits Turkish town: Turkey",
            "Erdbeben in der Türkei",
            "Séisme en Turquie",
            "Землетрясение в Турции",
        ],
        ["Взрыв в Ростове-на-Дону", "Blast in Rostov-on-Don"],
        ["Incendie dans l'Hérault", "Hérault : le feu progresse", "Feu: l’Hérault en alerte"],
        ["US strikes", "Usa all'attacco", "Удар США", "États-Unis : le vote", "Vereinigte Staaten wählen"],
    ],
)
def test_a_place_is_the_same_in_every_language(texts: list[str]) -> None:
    rows = {_places(text) for text in texts}
    assert [len(row) for row in rows] == [1]


@pytest.mark.parametrize(
    ("place", "other"),
    [
        ("Police search house in Reading", "Reading Lessons From the Budget"),
        ("Mann in Essen verletzt", "Kostenloses Essen für alle Schüler"),
        ("Blast in Jordan kills two", "Jordan Delmotte condamné à 28 ans"),
        ("Fire in Split", "Split Decision in Court"),
        ("Incendie à Nice", "A Nice Surprise for Commuters"),
        ("Mayor of New York resigns", "Review: a quiet novel - The New York Times"),
        ("Tornado near Lancaster", "Barn burns in Lancaster County"),
        ("Storm hits Houston", "houston, we have a problem"),
    ],
)
def test_a_name_counts_where_it_stands_as_a_place(place: str, other: str) -> None:
    assert _places(place)
    assert not _places(other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Feuer in Kassel", "Brand in Hessen"),
        ("Feuer in Kassel", "Fire in Germany"),
        ("Fire in Wigan", "Man dies in Bolton"),
        ("Incendie à Montpellier", "Le feu dans l'Hérault"),
        ("Muertos en Los Alcázares", "Spain floods: seven dead in Murcia"),
        ("Evacuations in Manatee County", "Hurricane reaches Florida"),
        ("Взрыв в Казани", "Explosion in Tatarstan"),
        ("Feuer in Kassel", "Feuerwehr rettet Katze"),
    ],
)
def test_what_lies_in_or_near_a_place_is_in_no_conflict_with_it(left: str, right: str) -> None:
    rows = place_rows([left, right])
    assert not any([conflict(*rows), conflict(*rows[::-1])])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Feuer in Kassel", "Brand in Köln"),
        ("Explosión en Sevilla", "Blast in Bavaria"),
        ("Séisme en Crète", "Землетрясение в Японии"),
        ("Flood in Leeds, England", "Flood in Cardiff, Wales"),
        ("Incêndio em Manaus", "Incendio a Torino"),
    ],
)
def test_places_apart_from_each_other_are_in_conflict(left: str, right: str) -> None:
    rows = place_rows([left, right])
    assert all([conflict(*rows), conflict(*rows[::-1])])


def test_what_holds_a_place_is_among_its_parents_and_left_out_where_both_are_named() -> None:
    kassel, hesse, germany = place_rows(["In Kassel", "In Hessen", "In Germany"])
    assert {*kassel, *hesse, *germany} <= with_parents(kassel)
    assert not with_parents(germany) & {*kassel, *hesse}
    assert _places("Germany: fire in Kassel, Hessen") == kassel


def test_of_places_of_one_name_the_headline_or_its_timeline_decides() -> None:
    largest = _places("Fire in Birmingham")
    alabama = _places("Fire in Birmingham, Alabama")
    assert largest != alabama
    assert conflict(largest, _places("Alabama"))
    assert _places("Fire in Birmingham", "Vote in Alabama", "Alabama: storm") == alabama
    assert _places("Fire in Birmingham", "Vote in Wales", "Storm in Cardiff") == largest


def test_texts_without_words_or_capitals_name_nothing() -> None:
    assert place_rows(["", "  ", "—", "🔥", "köln", "12.30"]) == [()] * 6
    assert alias_rows(["", "  ", "—", "🔥", "12.30"]) == [()] * 5


def test_no_name_is_of_two_things_and_each_has_two_names() -> None:
    sets = [{name_form(name) for name in names} for names in alias_sets()]
    assert len(sets) >= 700
    assert min(map(len, sets)) >= 2
    assert [name for name, n in Counter(name for names in sets for name in names).items() if n > 1] == []
    table = tomllib.loads(Path(aliases.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    assert sum(len(group["sets"].strip().splitlines()) for group in table.values()) == len(sets)


@pytest.mark.parametrize(
    "texts",
    [
        [
            "ECB cuts rates",
            "EZB senkt Zinsen",
            "La BCE baisse ses taux",
            "ЕЦБ снизил ставку",
            "Il taglio della Bce",
        ],
        [
            "Downing Street says no",
            "UK government says no",
            "Britische Regierung lehnt ab",
            "Le gouvernement britannique",
        ],
        ["Copom decide hoje", "Selic cai a 14,50%", "Brazil's central bank holds"],
        ["В Кремле заявили", "Kremlin denies", "Der Kreml schweigt", "Cremlino, niente tregua"],
        ["Gunners win", "Arsenal win"],
        ["Le PSG gagne", "Paris Saint-Germain wins", "ПСЖ победил"],
        ["Rekordmeister siegt", "Bayern Munich win", "El Bayern de Múnich gana"],
        ["Банк России: решение", "ЦБ сохранил ключевую ставку", "Russian central bank holds"],
        ["Facebook owner fined", "Meta fined", "Facebook-Mutter muss zahlen"],
        ["Karlsruhe urteilt", "Bundesverfassungsgericht urteilt"],
    ],
)
def test_names_of_one_thing_are_one_in_every_language(texts: list[str]) -> None:
    for left, right in combinations(map(set, alias_rows(texts)), 2):
        assert left & right


def test_acronyms_need_their_capitals_and_other_names_one() -> None:
    who, question, lower = alias_rows(["WHO warns of flu", "Who warns of flu", "a liverpool of the mind"])
    assert who
    assert not any([question, lower])
    assert alias_rows(["Markets expect fed funds to fall"]) == alias_rows(["Federal Reserve to cut"])
