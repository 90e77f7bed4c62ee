import pytest

from core.text.facts import VERB, read_facts
from core.text.numerals.read import read_numerals


def figures(text):
    return {
        one.column: one.value if isinstance(one.value, str) else one.value.value
        for one in read_facts(text)
        if one.column != VERB
    }


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("At least 12 people dead, three missing", {"dead": 12, "missing": 3}),
        ("27 Verletzte bei Busunglück in Rom", {"hurt": 27}),
        ("Accident de bus à Rome : 27 blessés, deux morts", {"hurt": 27, "dead": 2}),
        ("При аварии погибли 3 человека, задержаны двое", {"dead": 3, "arrested": 2}),
        ("Terremoto en Perú: tres muertos y veintisiete heridos", {"dead": 3, "hurt": 27}),
        ("Rocket with crew of 3 blasts off", {"aboard": 3}),
        ("Magnitude 6.9 quake off California", {"magnitude": 6.9}),
        ("Duke beats Virginia 72-63", {"score": "72-63"}),
        ("Court fines bank $3.2bn, shares down 4%", {"money": 3.2e9, "per cent": 4}),
        ("Boy, 10, jailed for two years", {"age": 10, "how long": 2}),
        ("Apple releases iOS 7.1 update", {}),
        ("Death toll in Philippine ferry disaster climbs to 14", {"dead": 14}),
        ("Zahl der Toten nach Zugunglück bei Göttingen steigt auf fünf", {"dead": 5}),
        ("Число погибших при землетрясении в Турции выросло до 21", {"dead": 21}),
        ("Quake toll rises to 34, 120 hurt", {"dead": 34, "hurt": 120}),
        ("Séisme de magnitude 6,4 tue 34 personnes", {"magnitude": 6.4, "dead": 34}),
        ("Magnitude 6 quake kills 34", {"magnitude": 6, "dead": 34}),
        ("Game of Thrones season 4 trailer", {}),
    ],
)
def test_figures_under_the_name_of_what_is_counted(text, stated):
    assert figures(text) == stated


@pytest.mark.parametrize(
    ("left", "right"),
    [("Bus crash near Rome", "Accident de bus à Rome"), ("Die EZB senkt den Zins", "ECB cuts rates")],
)
def test_verbs_of_one_sense_are_the_same(left, right):
    a, b = ([one for one in read_facts(text) if one.column == VERB] for text in (left, right))
    assert a[0].same(b[0])


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("treinta y cinco heridos", 35, "count"),
        ("mil quinientas personas", 1_500, "count"),
        ("tres millones de euros", 3_000_000, "money"),
        ("el 3,5 por ciento", 3.5, "percent"),
        ("una docena de heridos", 12, "count"),
        ("cinco años de cárcel", 5, "duration"),
    ],
)
def test_spanish_numerals(text, value, kind):
    (found,) = read_numerals(text, language="es")
    assert (float(found.value), found.kind) == (value, kind)
