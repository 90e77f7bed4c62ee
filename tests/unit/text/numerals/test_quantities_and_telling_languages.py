import gzip
import re

import pytest

from core.errors import InputError
from core.files import ROOT
from core.numerals.checks.opening import check_languages
from core.numerals.question import questions_of, read_article
from core.text.numerals.language_tables import LANGUAGES
from core.text.numerals.languages import LANGUAGE_NAMES, language_of, unread_language
from core.text.numerals.quantities import agree, conflict, read_quantities


def only(text):
    (quantity,) = read_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "value", "kind", "unit"),
    [
        ("a $3.2bn rocket", 3.2e9, "money", "USD"),
        ("up 3.5%", 3.5, "percent", "%"), ("kills 12 people", 12, "count", "dead"),
        ("two hundred thousand jobs", 2e5, "count", "job"),
        ("42-year-old held", 42, "age", "year"),
        ("погибли трое", 3, "count", "dead"),
        ("до 40 млн рублей", 40e6, "money", "RUB"),
        ("il costo di 2,5 milioni di euro", 2.5e6, "money", "EUR"),
        ("sono dodici i feriti", 12, "count", "hurt"),
    ],
)  # fmt: skip
def test_numbers_are_read_with_what_they_count(text, value, kind, unit):
    quantity = only(text)
    assert (quantity.value, quantity.kind.value, quantity.unit) == (pytest.approx(value), kind, unit)
    assert text[quantity.start : quantity.end] == quantity.text


@pytest.mark.parametrize(
    "text", ["COVID-19 and A380", "a single mother", "Phase One", "Alarm sounds (1)", "no one left", "", "-D"]
)
def test_what_is_no_number_is_left_alone(text):
    assert read_quantities(text) == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("$3bn", "$3.2bn"), ("1,000 jobs", "1,012 jobs"), ("twelve dead", "12 killed"),
        ("half a million", "500,000"), ("$179.2 bln", "$179.2 billion"), ("two dozen", "24"),
    ],
)  # fmt: skip
def test_rounded_numbers_agree(left, right):
    assert agree(only(left), only(right))
    assert not conflict(only(left), only(right))


@pytest.mark.parametrize(
    ("left", "right"), [("kills 12", "14 dead"), ("due morti", "погибли трое"), ("killing one", "five dead")]
)
def test_same_thing_with_other_values_conflicts(left, right):
    assert conflict(only(left if left != "due morti" else "sono due morti"), only(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("12 dead", "14 hurt"), ("dozens dead", "14 dead"), ("2014", "2015"), ("$3bn", "€4bn"),
        ("iPhone 6", "iPhone 5"),
    ],
)  # fmt: skip
def test_other_things_do_not_conflict(left, right):
    assert not conflict(only(left), only(right))


ARTICLES = {
    "en": "At least 80 people were killed and 140 were hurt when a train left the rails, say police.",
    "de": "Bei dem Zugunglück sind mindestens 80 Menschen ums Leben gekommen, 140 wurden verletzt.",
    "fr": "Au moins 80 personnes ont été tuées et 140 blessées dans l'accident de train, selon la police.",
    "it": "Almeno 80 persone sono morte e 140 sono rimaste ferite nell'incidente ferroviario di sabato.",
    "es": "Al menos 80 personas murieron y 140 resultaron heridas en un accidente de tren, según la policía.",
    "pt": "Pelo menos 80 pessoas morreram e 140 ficaram feridas num acidente de comboio, segundo a polícia.",
    "ru": "Не менее 80 человек погибли и 140 пострадали, когда поезд сошел с рельсов, сообщает полиция.",
}
UNREAD = {
    "Polish": (
        "W wypadku zginęło co najmniej 80 osób, a ponad 140 zostało rannych.",
        "Co najmniej 80 zabitych w wypadku pociągu",
    ),
    "Ukrainian": (
        "Унаслідок аварії загинуло щонайменше 80 людей, 140 поранено.",
        "Щонайменше 80 людей загинули",
    ),
    "Bulgarian": ("11 души загинаха и 23 са ранени при експлозия в мина.", "11 души ранени в мина"),
    "Serbian": ("Једанаест људи је погинуло, а 23 су повређене у руднику.", "Погинуло 11 људи у руднику"),
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_articles(code):
    assert language_of(ARTICLES[code]) == code
    assert unread_language(ARTICLES[code]) == ""


@pytest.mark.parametrize(
    ("headline", "code"),
    [
        ("Fünf Tote bei Zugunglück", "de"), ("Cinq morts dans un accident de train", "fr"),
        ("La star de la NBA forfait pour 3 mois", "fr"), ("16 Die Trapped in Coal Mine", "en"),
        ("War Was Man Made, 3 Experts Say", "en"),
        ("Dos heridos en un tiroteo en Lima", "es"), ("Governo corta 300 vagas em Lisboa", "pt"),
        ("Senate GOP blocks legislation on Jan. 6 commission", "en"), ("Rio de Janeiro Police Kill 10", "en"),
    ],
)  # fmt: skip
def test_headlines(headline, code):
    assert language_of(headline) == code


@pytest.mark.parametrize("code", ["de", "fr", "it", "es", "pt"])
def test_a_doubtful_headline_is_read_as_its_article(code):
    assert language_of("Paris, 3.500 km", doubtful=code) == code
    (question,) = questions_of("Paris: 3.500", read_article(ARTICLES[code]))
    assert question.numeral.value == 3500


@pytest.mark.parametrize("name", UNREAD)
def test_other_languages_are_refused_in_one_sentence(name):
    article, headline = UNREAD[name]
    with pytest.raises(
        InputError, match=f"^This is an article in {name}; numbers are read in {LANGUAGE_NAMES}"
    ):
        check_languages([headline], article)
    with pytest.raises(InputError, match=f"^This is a headline in {name}; "):
        check_languages([headline], ARTICLES["ru" if "а" in article else "en"])


@pytest.mark.parametrize(
    ("article", "headline"),
    [
        (ARTICLES["es"], "Al menos 80 muertos en un tren"), (ARTICLES["pt"], "Pelo menos 80 mortos"),
        ("5 Muertos Y 12 Heridos En Madrid", "5 Dead in Madrid"),
    ],
)  # fmt: skip
def test_spanish_and_portuguese_are_read(article, headline):
    check_languages([headline], article)
    (question,) = questions_of(headline, read_article(article))
    assert question.numeral.value in {number.value for number in question.article.numerals}


def test_russian_news_is_read():
    check_languages(["«Ъ»: погибли 11 человек"], ARTICLES["ru"])
    files = [*(ROOT / "samples").glob("tgcontest/*ru*.gz"), *(ROOT / "samples").glob("headlinecause/ru*.gz")]
    cells = {
        cell for file in files for cell in re.split("[\t\n]", gzip.decompress(file.read_bytes()).decode())
    }
    russian = [cell for cell in cells if sum("а" <= sign <= "я" for sign in cell) > 8]
    assert len(russian) > 200
    assert {text: name for text in russian if (name := unread_language(text))} == {}


@pytest.mark.parametrize(
    ("article", "headline", "unit", "value"),
    [
        ("Dube won the 800 metres.", "Moore beaten in users' 800m", "metre", 800),
        ("Kipruto won in 2:05:13.", "Kipruto wins in 2:05", "minute", 125),
        ("Dube won in 1:57.42.", "Dube wins in 1:57", "second", 117),
        ("Cherotich venceu em 2:09.41 horas.", "Tolessa em 2:10.03", "second", 7803),
        ("The shop opens at 9:30 am.", "Shop opens at 9:30", "", 9.5),
        ("It was -5 °C at night.", "It was -5 degrees at night", "degree Celsius", 5),
        ("It was -5 °C at night.", "It was -5 °F at night", "degree Fahrenheit", 5),
    ],
)
def test_what_can_be_two_things_is_what_the_article_has(article, headline, unit, value):
    (question,) = questions_of(headline, read_article(article))
    assert (question.numeral.unit, question.numeral.value) == (unit, value)


@pytest.mark.parametrize(
    ("article", "headline"),
    [
        ("Auf der A 9 kamen bei einem Unfall drei Menschen ums Leben.", "Drei Tote auf der A 9"),
        (
            "Three people died when a Boeing 737 crashed near the M25.",
            "Three die as Boeing 737 crashes near M25",
        ),
        (
            "Ministros do G7 aprovam três medidas contra a Covid-19.",
            "G7 aprova três medidas contra a Covid-19",
        ),
    ],
)
def test_a_number_in_a_name_is_asked_nothing(article, headline):
    (question,) = questions_of(headline, read_article(article), names=False)
    assert question.numeral.value == 3
