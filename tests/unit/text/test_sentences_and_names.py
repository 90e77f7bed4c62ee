import pytest

from core.data.timelines.load import load
from core.data.timelines.preview import sniff
from core.text.desk_marks import without_dateline
from core.text.differences import Clash, compare
from core.text.german_nouns import is_common_noun
from core.text.marks import MarkKind
from core.text.markup import repaired
from core.text.names import find_names, learn_names
from core.text.normalise import clean_block, clean_line, searched
from core.text.sentences import split_sentences


def of_kind(text, marks, *kinds):
    return {text[one.start : one.end] for one in marks if one.kind in kinds}


def test_shared_and_added_words():
    left = "Nasa casts doubt on Russian theory ISS air leak was sabotage"
    right = "Nasa casts doubt on claims International Space Station leak was deliberate"
    found = compare(left, right, known=frozenset({"nasa"}))
    assert found.shared_names == ("Nasa", "ISS")
    assert found.shared_words == ("casts", "doubt", "leak")
    assert of_kind(left, found.left_marks, MarkKind.ADDED_NAME) == {"Russian"}
    assert of_kind(left, found.left_marks, MarkKind.ADDED_WORD) == {"theory", "air", "sabotage"}
    added = of_kind(right, found.right_marks, MarkKind.ADDED_NAME, MarkKind.ADDED_WORD)
    assert added == {"claims", "deliberate"}
    assert found.number_conflicts == found.opposed == ()


@pytest.mark.parametrize(
    ("left", "right", "numbers", "opposed"),
    [
        ("Quake kills 12 in Italy", "Quake in Italy: 14 dead", [("12", "14")], []),
        ("Fed raises rates", "Fed cuts rates", [], [("raises", "cuts")]),
        ("Leak was deliberate", "Leak was not deliberate", [], [("", "not")]),
        ("Курс доллара вырос до 40 рублей", "Доллар упал до 38 рублей", [("40 рублей", "38 рублей")],
         [("вырос", "упал")]),
        ("Dozens dead in quake", "14 dead in quake", [], []),
    ],
)  # fmt: skip
def test_contradictions(left, right, numbers, opposed):
    found = compare(left, right)
    assert found.number_conflicts == tuple(Clash(a, b) for a, b in numbers)
    assert found.opposed == tuple(Clash(a, b) for a, b in opposed)


def test_equal_headlines_share_everything():
    found = compare("NASA delays launch by 3 days", "Nasa delays launch by three days")
    assert found.overlap == 1.0
    kinds = {one.kind for one in (*found.left_marks, *found.right_marks)}
    assert kinds.isdisjoint({MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER})
    assert found.shared_numbers == ("3",)


def names_of(text, known=frozenset()):
    return [token.text for token in find_names(text, known=known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crew of the ISS returns to Earth on Monday", ["ISS", "Earth"]),
        ("Экипаж МКС вернулся в Казахстан", ["МКС", "Казахстан"]),
        ("Oh, brother! Twins study shows change: Body ages", []),
        ("", []),
    ],
)
def test_capitals_inside_sentence_case_are_names(text, expected):
    assert names_of(text) == expected


def test_title_case_says_nothing_until_names_are_learnt():
    title = "Scott Kelly Spent a Year in Orbit"
    assert names_of(title) == []
    known = learn_names([title, "Astronaut Scott Kelly is taller after a year", "The orbit of Kelly"])
    assert names_of(title, known) == ["Scott", "Kelly"]


def test_acronyms_are_names_in_any_spelling():
    known = learn_names(["NASA delays launch of its rocket"])
    assert names_of("Nasa Delays Launch", known) == ["Nasa"]
    assert names_of("HELP US NOW") == []


NOUNS = ("Hochwasser", "Unglücksbus", "Häuser", "Fernzüge", "Flutopfern", "Klimaaktivisten")
OTHERS = ("", "Söder", "Habeck", "Passau", "Bayern", "Hamburg", "a" * 100_000)


@pytest.mark.parametrize("word", [*NOUNS, *OTHERS])
def test_nouns_their_forms_and_compounds_are_common_and_names_are_not(word):
    assert is_common_noun(word) == (word in NOUNS)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""), ("A  b\nc", "A b c"), ("a\x00b\x1b[31m", "ab[31m"), ("e\u0301", "é"),
        ("\ufeffA\u200bb\u00adc", "Abc"), ("a\u202eb\u2066c", "abc"), ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\ud800b", "ab"),
    ],
)  # fmt: skip
def test_clean_line(text, line):
    assert clean_line(text) == line
    assert clean_line(line) == line
    clean_line(text).encode("utf-8")


def test_clean_block_keeps_paragraphs():
    assert clean_block("  A  b \r\n\n\n\nC\x00 d ") == "A b\n\nC d"
    assert clean_block(" plain ") == "plain"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Rates up &mdash; bank&#39;s third", "Rates up — bank's third"),
        ("AT&amp;T &amp;mdash; again", "AT&T — again"),
        ("CafÃ© ownerâ€™s plan", "Café owner’s plan"),
        ("РџСЂРёРІРµС‚, РјРёСЂ", "Привет, мир"),
    ],
)
def test_it_is_repaired(text, wanted):
    assert repaired(text).text == wanted


@pytest.mark.parametrize("text", ["AT&T", "?a=1&copy=2", "Café fermé à Zürich", "Привет, мир"])
def test_what_was_meant_stays(text):
    assert repaired(text) == (text, False, False)


TABLE = (
    "title,outlet,date\nn/a,A,2024-05-01\nn/a,B,2024-05-01\n-,C,2024-05-01\n"
    "Caf&eacute; closes,null,n/a\nCafÃ© opens,A,2024-05-02\n"
)


def test_repairs_are_counted_before_and_after_loading():
    timeline = load(TABLE.encode(), "a.csv")
    assert timeline.texts == ["Café closes", "Café opens"]
    assert timeline.publishers == [None, "A"]
    assert timeline.undated == 1
    assert [row.reason for row in timeline.report.rejected] == [
        *["“n/a” stands in place of the headline."] * 2,
        "“-” stands in place of the headline.",
    ]
    counted = (
        "HTML codes such as &mdash; were decoded in 1 cell.",
        "Garbled letters such as Ã© for é were repaired in 1 cell.",
        "“n/a”, “-” or the like was taken for missing in 2 cells.",
    )
    *repaired, undated = timeline.report.notes
    assert timeline.report.notes == sniff(TABLE.encode(), "a.csv").notes
    assert tuple(repaired) == counted
    assert undated.startswith("1 headline has no date")
    assert timeline.original["title"].tolist() == ["Caf&eacute; closes", "CafÃ© opens"]


TEXTS = [
    ("en", ["Mr. Smith went to the U.S. on Monday.", "He paid $1.5 million.", '"I am done."', "He left."]),
    (
        "en",
        ["It happened at 11 a.m. Sunday.", "Rep. Jim Jordan (R-Ohio) left.", "(See it here.)", "Then more."],
    ),
    ("en", ["It goes on.", "The night of art.", "He went in."]),
    ("ru", ["В г. Москве прошёл митинг, сообщил А. С. Пушкин.", "Это стоит 5 млн руб. в год."]),
    ("ru", ["«Я ухожу!» — сказал он.", "Он родился в 1990 г. в Туле."]),
    ("it", ["Il dott. Rossi è arrivato alle 10.30.", "Il sig. Bianchi, dell'on. Verdi, paga 1.500 euro."]),
    ("it", ["L'art. 5 dice così.", "Ha detto: «Basta!» e se n'è andato.", "Che ore sono?"]),
    ("de", ["Drei Menschen starben.", "28 wurden verletzt, am 3. Mai mehr.", "Es waren inkl. 4 Kindern 90."]),
    ("es", ["Hubo 14 votos a favor y 11 en contra.", "El recibo sube.", "Es la 88.ª del mundo."]),
    ("it", ["Il treno partì alle 3 ore.", "Non torna mai.", "La città lo sa."]),
    ("zh", ["今天天气很好。", "我们去公园。"]),
]


@pytest.mark.parametrize(("language", "expected"), TEXTS)
def test_sentences_end_where_people_end_them(language, expected):
    joined = ("" if language == "zh" else " ").join(expected)
    assert split_sentences(joined, language=language) == expected


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not():
    assert split_sentences("A title\n\nIt began\nhere.", language="en") == ["A title", "It began here."]


@pytest.mark.parametrize(
    "dateline",
    [
        "(Sep 25, 2016  1:28 PM CDT) ", "(NoneDate) ", "(Nov 4, 2008  3:19 PM) WASHINGTON (AP) — ",
        "(Reuters) - ", "OTTAWA -- ", "PARIS, Nov 1 — ", "TOKYO (Nov 14): ", "(ANSA) - ROMA, 04 GIU - ",
        "MILANO, 3 mag. (ANSA) - ", "МОСКВА, 21 авг — РИА Новости. ", "САНКТ-ПЕТЕРБУРГ, 25 мая. /ТАСС/. ",
        "Москва. 12 ноября. INTERFAX.RU - ", "НЬЮ-ЙОРК, 6 мая (Рейтер) - ",
        "КРАСНОДАР, 1 ноября, ФедералПресс. ", "РИАМО - 15 ноя.\u00a0",
    ],
)  # fmt: skip
def test_datelines_are_taken_off(dateline):
    assert without_dateline(f"{dateline}Police have arrested 5 men.") == "Police have arrested 5 men."


@pytest.mark.parametrize(
    "text",
    [
        "NASA said on Monday that 2 – or 3 – probes are lost.", "A 25-year-old man (AP) was seen.",
        "(Read more here.) It began on Monday.", "(Sep 25, 2016  1:28 PM CDT)", "",
    ],
)  # fmt: skip
def test_first_sentences_stay_whole(text):
    assert without_dateline(text) == text

    assert searched("turkei") in searched("Erdbeben in der Türkei")
    assert searched("йод") in searched("Иод и йод")
