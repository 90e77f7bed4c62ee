import numpy as np
import pytest

from benchmarks.makers.mentions import WATCHING, marked, marked_headlines
from core.errors import ModelUnavailableError
from core.events import mentions as reader
from core.events.facts_columns import arranged
from core.events.facts_html import grid_html
from core.events.facts_text import cell_words, grid_object
from core.events.mentions import (
    HAPPENED,
    LEAST_OUTCOME,
    LEAST_SHARE,
    MODEL,
    NAME,
    OUTPUTS,
    PLACE,
    HeadlineMention,
    are_persons,
    mentions,
    mentions_of,
)
from core.models.encoders.e5_file import e5_weights
from core.runtime import Runtime
from core.text.facts import OUTCOMES, VERB, read_facts
from tests.unit.events.test_facts import cell, event


def said(text):
    (own,) = mentions_of([text])
    return {(text[each.start : each.end], each.tag) for each in own if each.share >= LEAST_SHARE}


@pytest.mark.parametrize(
    "text",
    [
        "Rappel  massif",
        "ﬁre in Łódź—«Калипсо» lands",
        "",
        "  a",
        "x" * 2000,
        "\ud800 gone",
        "a\u0000b",
        "１２ dead",
    ],
)
def test_word_pieces_are_those_of_the_whole_text_and_say_where_they_stand(text):
    file, text = e5_weights(), text.encode("utf-8", "replace").decode()
    pieces = file.pieces(text)
    assert [piece for piece, *_ in pieces] == file.tokenise([text])[0][1:-1]
    assert all(0 <= start <= end <= len(text) for _, start, end in pieces)
    assert [start for _, start, end in pieces if end] == sorted(start for _, start, end in pieces if end)


def test_marks_are_whole_words_and_two_of_a_kind_stand_side_by_side():
    pieces = [(1, 0, 2), (2, 2, 5), (3, 6, 9), (4, 10, 13)]
    shares = np.zeros((4, len(OUTPUTS)))
    for at, output in enumerate(("name", "", "name", "+name")):
        shares[at, OUTPUTS.index(output)] = 1
    read = mentions("Abcde Fgh Ijk", pieces, shares)
    assert [(each.start, each.end, each.tag) for each in read] == [(0, 5, NAME), (6, 13, NAME)]


def test_a_word_that_may_be_a_mark_is_one_in_doubt_and_another_none():
    pieces = [(1, 0, 2), (2, 3, 6), (3, 7, 10)]
    shares = np.zeros((3, len(OUTPUTS)))
    shares[:, 0] = 0.5, 0.8, 0.95
    shares[[0, 1, 2], [OUTPUTS.index(tag) for tag in ("kill", "arrest", "win")]] = 0.5, 0.2, 0.05
    read = mentions("Ab Cde Fgh", pieces, shares)
    assert read == (HeadlineMention(0, 2, "kill", 0.5, True), HeadlineMention(3, 6, "arrest", 0.2, True))


def test_a_line_with_marks_is_a_headline_and_where_they_stand():
    line = marked("{N:Ada} {resign:tritt} in {P:Ulm} {resign:zurück}", "x")
    assert line.text == "Ada tritt in Ulm zurück"
    assert line.mentions[2] == HeadlineMention(13, 16, PLACE, 1.0)
    assert [line.text[each.start : each.end] for each in line.mentions] == ["Ada", "tritt", "Ulm", "zurück"]


def test_marks_of_names_say_whether_they_are_persons_organisations_or_others():
    line = marked("{H:Ada} leaves {O:Acme} with {N:Zephyr 1} in {P:Ulm}", "x")
    assert [each.kinds for each in line.mentions] == [(1, 0, 0), (0, 1, 0), (0, 0, 1), ()]
    assert {each.tag for each in line.mentions} == {NAME, PLACE}


@pytest.mark.slow
def test_of_what_is_surely_a_person_nearly_all_are_on_writers_who_only_watch():
    names = [
        (headline, mention)
        for headline in marked_headlines()
        for mention in headline.mentions
        if headline.writer in WATCHING and mention.tag == NAME
    ]
    read = mentions_of([headline.text for headline, _ in names])
    sure = [
        mention.kinds[0]
        for (_, mention), own in zip(names, read, strict=True)
        for each in own
        if (each.start, each.end) == (mention.start, mention.end) and are_persons([[each]]) == [True]
    ]
    assert len(sure) > 100
    assert sum(sure) / len(sure) > 0.88


def test_what_happened_is_read_in_words_that_no_table_has():
    assert ("Marijke van Dorp", NAME) in said("Dutch defence minister Marijke van Dorp throws in the towel")
    assert any(tag == "arrest" for _, tag in said("Ransomware kingpin collared at seaside villa"))
    assert any(tag == "withdraw" for _, tag in said("Lait infantile rappelé dans quatorze pays"))
    assert not any(tag in HAPPENED for _, tag in said("Will the finance minister resign?"))


def test_what_a_headline_denies_has_not_happened():
    lines = (
        ("A", "2026-03-02 08:00", "Minister Vogt wirft hin"),
        ("B", "2026-03-02 09:00", "Vogt tritt nach Streit zurück"),
        ("C", "2026-03-02 10:00", "Kanzler: Vogt tritt nicht zurück"),
    )
    _, grid = event(*lines)
    assert [[one.text for one in cell(grid, outlet, VERB)] for outlet in "ABC"] == [
        ["wirft hin"],
        ["tritt nach Streit zurück"],
        [],
    ]


@pytest.mark.slow
def test_a_grid_has_what_outlets_say_in_other_words_and_none_where_the_network_is_missing(monkeypatch):
    lines = (
        ("A", "2026-03-02 08:00", "Police arrest ransomware suspect in Cascais"),
        ("B", "2026-03-02 09:00", "Ransomware kingpin collared at seaside villa"),
        ("C", "2026-03-02 10:00", "Chefe do ransomware detido em Cascais"),
    )
    _, grid = event(*lines)
    assert [one.text for one in cell(grid, "B", VERB)] == ["collared"]

    def missing(texts):
        raise ModelUnavailableError("It is not installed.", hint="Install it.")

    monkeypatch.setattr("core.events.facts.mentions_of", missing)
    _, grid = event(*lines)
    assert [one.text for one in cell(grid, "A", VERB)] == ["arrest"]
    assert cell(grid, "B", VERB) == ()


def test_a_name_that_the_network_reads_over_two_by_capitals_stands_once_and_whole(monkeypatch):
    lines = (
        ("A", "2026-03-02 08:00", "Angriff von al-Nusra und Tawhid auf Stadt"),
        ("B", "2026-03-02 09:00", "Tote bei Angriff von al-Nusra und Tawhid"),
    )

    def read(texts):
        starts = [text.index("al-Nusra") for text in texts]
        return [(HeadlineMention(at, at + len("al-Nusra und Tawhid"), NAME, 0.9),) for at in starts]

    monkeypatch.setattr("core.events.facts.mentions_of", read)
    _, grid = event(*lines)
    assert [cell_words(cell(grid, outlet, "names")) for outlet in "AB"] == ["al-Nusra und Tawhid"] * 2


def read_as(monkeypatch, **tags):
    """Makes the network read each of these words, wherever it stands, as its tag with a share."""

    def read(texts):
        return [
            tuple(
                HeadlineMention(text.index(word), text.index(word) + len(word), tag, share, share <= 0.5)
                for word, (tag, share) in tags.items()
                if word in text
            )
            for text in texts
        ]

    monkeypatch.setattr("core.events.facts.mentions_of", read)


def test_a_cell_is_not_read_where_something_in_doubt_may_fill_it(monkeypatch):
    read_as(monkeypatch, arrested=("arrest", 0.9), emportée=("arrest", 0.2), taken=("arrest", 0.65))
    _, grid = event(
        ("A", "2026-03-02", "Banker arrested over fraud"),
        ("B", "2026-03-02", "Banker arrested in fraud case"),
        ("C", "2026-03-02", "Fraud: banker arrested at dawn"),
        ("D", "2026-03-02", "La banquière emportée par l'affaire"),
        ("E", "2026-03-02", "Banker taken from his office"),
        ("F", "2026-03-02", "Shares of the bank fall"),
    )
    at = [column.head for column in grid.columns].index(VERB)
    said = [(bool(row.cells[at]), row.unread[at]) for row in grid.rows]
    assert said == [*[(True, "")] * 3, *[(False, "not read")] * 2, (False, "")]
    assert all(row.read for row in grid.rows)
    outlets = grid_object(grid, range(6))["outlets"]
    assert [VERB in outlet["not_read"] for outlet in outlets] == [unread != "" for _, unread in said]
    kept = arranged(grid, [(at, "outcome")])
    assert [row.unread for row in kept.rows] == [(row.unread[at],) for row in grid.rows]
    table = grid_html(grid, [""] * 6)
    assert table.count("not read") == sum(unread != "" for row in grid.rows for unread in row.unread)


def test_a_word_of_the_tables_says_nothing_where_the_network_sees_nothing(monkeypatch):
    headlines = [("A", "2026-03-02", "GM orders recall probe"), ("B", "2026-03-02", "A recall and its cost")]
    read_as(monkeypatch)
    assert VERB not in [column.head for column in event(*headlines)[1].columns]
    read_as(monkeypatch, recall=("withdraw", 0.2))
    assert VERB in [column.head for column in event(*headlines)[1].columns]


def test_peoples_and_a_place_that_one_outlet_has_without_a_word_of_place_are_nowhere(monkeypatch):
    read_as(monkeypatch)
    _, grid = event(
        ("A", "2026-03-02", "Blast in Denmark"),
        ("B", "2026-03-02", "Explosion rocks plant in Denmark"),
        ("C", "2026-03-02", "Danes mourn after explosion"),
        ("D", "2026-03-02", "Explosion at Danish chemical plant"),
        ("E", "2026-03-02", "After the explosion, Oslo is furious"),
    )
    assert [cell_words(cell(grid, outlet, "where")) for outlet in "ABCDE"] == [
        "Denmark",
        "Denmark",
        "",
        "Danish",
        "",
    ]


def test_a_number_that_counts_nothing_known_is_not_silence(monkeypatch):
    read_as(monkeypatch)
    _, grid = event(
        ("A", "2026-03-02", "Blast kills 12 in Peru"),
        ("B", "2026-03-02", "Blast in Peru: 12 dead"),
        ("C", "2026-03-02", "Peru blast: already twelve, more feared"),
        ("D", "2026-03-02", "Peru mourns after blast"),
    )
    at = [column.head for column in grid.columns].index("dead")
    assert [(bool(row.cells[at]), row.unread[at]) for row in grid.rows] == [
        (True, ""),
        (True, ""),
        (False, "not read"),
        (False, ""),
    ]


def test_a_name_is_no_place_because_another_mention_of_it_is_sure_to_be_a_name(monkeypatch):
    lines = [
        (outlet, "2026-03-02 08:00", f"Zorlak {verb}")
        for outlet, verb in zip("ABC", ("grows", "sinks", "moves"), strict=True)
    ]
    tags = {"grows": (PLACE, 0.62), "sinks": (PLACE, 0.62), "moves": (NAME, 0.99)}

    def read(texts):
        return [(HeadlineMention(0, len("Zorlak"), *tags[text.split()[-1]]),) for text in texts]

    monkeypatch.setattr("core.events.facts.mentions_of", read)
    _, grid = event(*lines)
    assert [column.head for column in grid.columns] == ["names"]


@pytest.mark.slow
def test_each_headline_is_read_once(monkeypatch):
    asked = []

    def read(self, texts, runtime):
        asked.extend(texts)
        return [()] * len(texts)

    monkeypatch.setattr(reader.MentionReader, "_read", read)
    monkeypatch.setattr(reader, "_REMEMBERED", 2)
    own = reader.MentionReader(Runtime())
    assert own.read(["a", "b", "a"], Runtime()) == [(), (), ()]
    assert own.read(["b", "c"], Runtime()) == [(), ()]
    assert asked == ["a", "b", "c"]
    own.read(["a"], Runtime())  # forgotten since
    assert asked == ["a", "b", "c", "a"]


@pytest.mark.slow
def test_a_headline_is_read_beside_others_as_alone():
    texts = [each.text for each in marked_headlines()][::100]
    together = reader.MentionReader(Runtime()).read(texts, Runtime())
    alone = reader.MentionReader(Runtime())
    assert together == [alone.read([text], Runtime())[0] for text in texts]
    assert sum(map(bool, together)) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("writer", "precision", "recall"), [("elder", 0.92, 0.90), ("holly", 0.81, 0.69)])
def test_on_writers_who_only_watch_network_and_tables_say_twice_what_the_tables_say(
    writer, precision, recall
):
    assert writer in WATCHING
    headlines = [each for each in marked_headlines() if each.writer == writer]
    read = mentions_of([each.text for each in headlines])
    right = told = wanted = of_tables = 0
    for headline, own in zip(headlines, read, strict=True):
        gold = {each.tag for each in headline.mentions if each.tag in HAPPENED}
        tables = {fact.value for fact in read_facts(headline.text) if fact.column == VERB} & OUTCOMES
        tables = tables if any(each.tag in HAPPENED for each in own) else set()
        both = tables | {each.tag for each in own if each.tag in HAPPENED and each.share >= LEAST_OUTCOME}
        right, told, wanted = right + len(both & gold), told + len(both), wanted + len(gold)
        of_tables += len(tables & gold)
    assert right / told >= precision
    assert right / wanted >= recall
    assert right >= 2 * of_tables
    # The card: names and places of the network, what happened by both.
    card = [line.split("|") for line in (MODEL / "README.md").read_text(encoding="utf-8").splitlines()]
    said = {cells[1].strip(): cells[2 + WATCHING.index(writer)] for cells in card if len(cells) == 5}
    figures = {"what happened, both": (right / told, right / wanted)}
    for row, tag in (("names", NAME), ("places", PLACE)):
        spans = [
            {
                (at, each.start, each.end)
                for at, own in enumerate(all_)
                for each in own
                if each.tag == tag and not each.doubted
            }
            for all_ in (read, [each.mentions for each in headlines])
        ]
        shared = len(spans[0] & spans[1])
        figures[row] = shared / len(spans[0]), shared / len(spans[1])
    for row, measured in figures.items():
        assert [float(figure) for figure in said[row].split(",")] == pytest.approx(measured, abs=0.01)


def values(grid, head):
    if head not in [column.head for column in grid.columns]:
        return []
    return [cell_words(cell(grid, row.outlet, head)) for row in grid.rows]


def tagged_grid(monkeypatch, *headlines, unsure=""):
    """The grid of headlines, an outlet each, in which marks such as "{N:Ada}" stand for what is read."""
    lines = [marked(headline, "somebody") for headline in headlines]
    shares = {
        line.text: tuple(each._replace(share=0.75 if each.tag == unsure else 0.93) for each in line.mentions)
        for line in lines
    }
    monkeypatch.setattr("core.events.facts.mentions_of", lambda texts: [shares[text] for text in texts])
    return event(*((name, "2026-03-02", line.text) for name, line in zip("ABCDEF", lines, strict=False)))[1]


@pytest.mark.parametrize(
    ("headlines", "head", "said"),
    [
        (  # small words within a name are its own
            ("{N:Bank of Zorland} waits", "All wait for the {N:Bank of Zorland}"),
            "names",
            ["Bank of Zorland", "Bank of Zorland"],
        ),
        (  # so are those before a street
            ("Feu en {P:place de Zorbe} à l'aube", "Deux morts en {P:place de Zorbe}"),
            "where",
            ["place de Zorbe", "place de Zorbe"],
        ),
        (  # a town that headlines stand in is none of the names
            ("Fogo na {P:Zorlã} avança", "Chamas na {P:Zorlã} ativas", "{P:Zorlã} espera"),
            "names",
            [],
        ),
        (("Fogo na {P:Zorlã} avança", "Chamas na {P:Zorlã} ativas"), "where", ["Zorlã", "Zorlã"]),
        (  # a town without a word of place is silent
            ("Alerta: moradores de {P:Zorlã} saem", "{P:Zorlã} debaixo da água"),
            "names",
            [],
        ),
        (  # an adjective names nobody
            ("New {A:Zorlanian} dam leaks", "Farmers fear {A:Zorlanian} dam"),
            "names",
            [],
        ),
        (  # but who owns something is no adjective
            ("{A:Zorlanian}'s shares rise", "Traders buy {A:Zorlanian} again"),
            "names",
            ["Zorlanian", "Zorlanian"],
        ),
        (  # a capital in a German headline alone is no name
            ("Zorbheims Torbeauftragter geht", "Wirbel um Torbeauftragter in der Stadt"),
            "names",
            [],
        ),
        (  # a city that acts is not where something happens
            ("{P:Rome} abstains again", "{P:Roma} vota no"),
            "where",
            [],
        ),
        (  # but one that has somebody or something is
            ("Суд арестовал министра {P:Башкирии}", "Задержан экс-министр {P:Башкирии}"),
            "where",
            ["Башкирии", "Башкирии"],
        ),
        (  # a country that has an economy is no actor
            ("{N:Zorb} says {P:UK} economy grows", "Bank sees {P:UK} economy cool", "{N:Zorb} waits"),
            "where",
            ["UK", "UK", ""],
        ),
        (  # a capital in an English headline is a name's where another headline confirms it
            ("Fund blasts Zorb plan", "{N:Zorb} sells again"),
            "names",
            ["Zorb", "Zorb"],
        ),
        (  # who is one of several bodies is known by itself
            ("{N:Zorb} closes", "{N:Colleges of Zorb} wait"),
            "names",
            ["Zorb", "Colleges of Zorb"],
        ),
        (  # two people are two names
            ("Film stars {N:Ada Zorb & Eve Lork}", "{N:Ada Zorb} smiles", "Crowd waits for {N:Zorb}"),
            "names",
            ["Ada Zorb", "Ada Zorb", "Zorb"],
        ),
        (  # parts of a country are where something is
            ("Quake strikes off northern {P:Japan}", "Quake hits off northern {P:Japan}, two hurt"),
            "where",
            ["Japan", "Japan"],
        ),
        (  # a match is its two teams
            ("{N:Zorb}-{N:Lork} 2-1", "{N:Zorb-Lork}, live", "{N:Lork} beat nobody", "{N:Zorb} win 2-1"),
            "names",
            ["Zorb; Lork", "Zorb; Lork", "Lork", "Zorb"],
        ),
        (  # nor is a count of names a name
            ("Captain names {N:Ada Zorb}", "Call for {N:Ada Zorb}", "Team of stars: six names, one shock"),
            "names",
            ["Ada Zorb", "Ada Zorb", ""],
        ),
        (  # outcomes stand in words
            ("Cole {win:settles} {win:it}", "Zorb {win:prevails} late"),
            "what happened",
            ["settles", "prevails"],
        ),
        (  # and what somebody is tried for has not happened now
            ("Texas jails man for 2003 {kill:killing}", "Texas holds man for {kill:killing}"),
            "what happened",
            [],
        ),
        (
            ("Un homme entre la vie et la {kill:mort}", "Blessé entre la vie et la {kill:mort}"),
            "what happened",
            [],
        ),
    ],
)
def test_a_value_is_whole_and_of_the_kind_of_its_column(monkeypatch, headlines, head, said):
    assert values(tagged_grid(monkeypatch, *headlines), head) == said


def test_one_headline_in_which_a_name_is_read_as_a_place_makes_it_no_town(monkeypatch):
    lines = ("{P:Zorb}, leaders meet", "{N:Zorb} waits")
    assert values(tagged_grid(monkeypatch, *lines, unsure=NAME), "names") == ["Zorb", "Zorb"]


def test_a_verb_of_the_tables_counts_where_the_network_sees_something_in_its_words(monkeypatch):
    bars = ("Maker {withdraw:recalls} ice cream bars", "Ice cream bars {withdraw:recalled}")
    assert values(tagged_grid(monkeypatch, *bars), "what happened") == ["recalls", "recalled"]


def test_a_sport_before_a_name_leaves_no_empty_name(monkeypatch):
    lines = ("{N:Cricket}-Zorb ton gives {N:Lork} hope", "{N:Cricket}-Zorb ton lifts {N:Lork}")
    assert all("" not in value.split("; ") for value in values(tagged_grid(monkeypatch, *lines), "names"))


def test_who_is_surely_a_person_stands_in_a_column_of_persons(monkeypatch):
    lines = (
        "{H:Ada Zorb} sues {O:Lork Foods}",
        "{O:Lork Foods} sued by {H:Ada Zorb}",
        "All wait for {H:Zorb}",
    )
    grid = tagged_grid(monkeypatch, *lines)
    assert values(grid, "persons") == ["Ada Zorb", "Ada Zorb", "Zorb"]
    assert values(grid, "names") == ["Lork Foods", "Lork Foods", ""]


def test_no_name_is_in_a_column_of_persons_where_another_may_be_one():
    def mention(share):
        return [HeadlineMention(0, 3, NAME, 0.9, kinds=(share, 1 - share, 0.0))]

    assert are_persons([mention(0.9), mention(0.2), []]) == [True, False, False]
    assert are_persons([mention(0.9), mention(0.7)]) == [False, False]
    assert are_persons([mention(0.9) + mention(0.75)]) == [True]


def test_a_headline_with_several_sure_names_that_no_other_has_says_nothing_of_its_names(monkeypatch):
    lines = (
        "{O:Lork} sues {O:Zorb}",
        "{O:Zorb} sued by {O:Lork}",
        "{O:Zorb}, {O:Quex Rail} and {H:Ada Mirn} part",
    )
    grid = tagged_grid(monkeypatch, *lines)
    at = [column.head for column in grid.columns].index("names")
    assert [row.unread[at] for row in grid.rows] == ["", "", "not read"]
    assert values(grid, "names") == ["Zorb; Lork", "Zorb; Lork", ""]


def test_a_name_in_no_gazetteer_that_a_headline_has_as_somebody_is_no_place(monkeypatch):
    lines = ("Blast at plant of {P:Zorlax}", "{P:Zorlax} plant burns", "{O:Zorlax}'s outage lasts")
    assert values(tagged_grid(monkeypatch, *lines, unsure=PLACE), "where") == []
    lines = ("Blast in {P:Zorlax}", "Plant in {P:Zorlax} burns", "{O:Zorlax} waits")
    assert values(tagged_grid(monkeypatch, *lines), "where") == ["Zorlax", "Zorlax", "Zorlax"]


def test_what_every_headline_has_as_a_place_is_one_whatever_stands_before_it(monkeypatch):
    lines = (
        "Drama am {P:Zorlhorn}: Drei tot", "Vier Tote am {P:Zorlhorn}", "{P:Zorlhorn}: Opfer geborgen",
        "Accident au {P:Zorlhorn}", "Bergunglück am {P:Zorlhorn}", "Wer war am {P:Zorlhorn}?",
    )  # fmt: skip
    assert values(tagged_grid(monkeypatch, *lines), "where") == ["Zorlhorn"] * len(lines)


def test_who_is_counted_in_other_words_may_be_those_of_a_column():
    lines = (
        "Quedan siete desaparecidos en la mina", "Aún faltan 14 personas en la mina",
        "Siete desaparecidos en la mina", "Varios desaparecidos en la mina", "La mina era un secreto a voces",
    )  # fmt: skip
    _, grid = event(*((name, "2026-03-02", line) for name, line in zip("ABCDE", lines, strict=True)))
    at = [column.head for column in grid.columns].index("missing")
    assert [row.unread[at] for row in grid.rows] == ["", "not read", "", "not read", ""]
