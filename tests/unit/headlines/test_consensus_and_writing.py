import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pandas as pd
import pytest

from core.data.articles.article_files import in_table
from core.data.articles.articles import articles_of
from core.headlines.generator import GenerationOptions, HeadlineCandidate, HeadlineCase, HeadlineStyle
from core.headlines.generators.consensus import Consensus, ConsensusWriter
from core.headlines.headline_text import first_sentence, in_sentence_case, leading
from core.headlines.opening import open_set
from core.headlines.writing import (
    as_object,
    default_system,
    drawn_articles,
    with_lights,
    write_headlines,
    written_bytes,
)
from core.numerals.checked_headline import Light
from core.numerals.checking import load_checker
from core.parts import Part
from core.runtime import Runtime
from core.text.tokens import words as words_of
from research.training.headlines.teaching import ready_articles

EXACT = Runtime(half=False)


def test_test_articles_and_their_texts_are_left_out():
    given = articles_of(
        "one",
        ["a b", "c d", "a b", "e f"],
        references=[("A",), ("C",), ("A",), ("E",)],
        parts=[Part.TRAIN, Part.TRAIN, Part.TEST, Part.VALIDATION],
    )
    found, notes = ready_articles([given])
    assert found.texts == ("c d", "e f")
    assert notes == []


def test_sets_are_joined_with_ids_of_their_own():
    sets = [
        articles_of(name, [f"{name} text"], references=[("H",)], clusters=["1"], parts=Part.TRAIN)
        for name in ("one", "two")
    ]
    found, _ = ready_articles(sets)
    assert found.ids == ("one/0", "two/0")
    assert found.clusters == ("one/1", "two/1")


ARTICLES = [
    "A bus crash near Lyon killed 14 people on Monday. Another 30 were hurt, police said. The bus was on its "
    "way to Spain with 52 passengers. It was the third crash on that road since 2015.",
    "Profit rose 12 percent to $3.2 billion, the bank said. It will close 40 of its 900 branches. Some 1,300 "
    "people will lose their jobs. Shares fell.",
    "Nobody came. The hall stayed empty. The band played anyway.",
]


class Saying:
    def __init__(self, said: dict[int, list[str]]) -> None:
        self.said = {ARTICLES[row]: lines for row, lines in said.items()}
        self.asked: list[GenerationOptions] = []

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        self.asked.append(options)
        for _ in runtime.track(articles, "Writing"):
            pass
        return [
            [HeadlineCandidate(line, -1.0 - 0.01 * place) for place, line in enumerate(self.said[text])][
                : options.candidates
            ]
            for text in articles
        ]


@cache
def checker():
    return load_checker(None, EXACT)


def consensus(writer, languages=frozenset()):
    return ConsensusWriter(writer, checker(), 4, languages)


def first_choice(article, *said, **options):
    """What is written of an article where a writer says so and so."""
    options = GenerationOptions(**options)
    writer = Saying({})
    writer.said[article] = list(said)
    (written,) = consensus(writer).write([article], options, EXACT)
    return written


@pytest.mark.slow
def test_of_those_that_pass_the_one_that_most_agree_on_comes_first():
    said = [
        "Profit Rises to $3.2 Billion",
        "Profit Rises 12 Percent",
        "Profit Rises 12 Percent to $3.2 Billion",
    ]
    written = first_choice(ARTICLES[1], *said, candidates=3)
    assert written[0].text == "Profit rises 12 percent to $3.2 billion"
    assert not written[0].instead
    assert len(written) == len({line.text.split()[0] for line in written}), "one idea came twice"


FERRY = (
    "A commuter ferry struck a pier in Portsmere on Tuesday, injuring nineteen people. Nobody was killed. Water "  # noqa: E501
    "came in."
)
COUNCIL = "Hillsbury council voted on Monday to raise council tax by 9.2 per cent, the mayor said. Shops will close."  # noqa: E501
MAYOR = "Independent Rosa Quill was elected mayor of Port Hallam on Thursday, beating Labour's Ann Lee. She is 41."  # noqa: E501
JAILED = (
    "A charity treasurer was jailed for four years and eight months on Friday for stealing £86,000. He wept."
)
PROFIT = "Brightwell reported a 12% fall in annual profit to £86.4m on Tuesday. Its shares lost 3%."
SEATS = "The Progress party took 147 of the 300 seats in the Carvanian parliament on Sunday. Turnout rose."
MATCH = "Calder lost 3-1 at home to Denholm on Saturday, their third defeat of the season. Rain fell."
FINAL = "Westmere reached their first county final in 17 years by beating Oakley 2-0 on Sunday. It was cold."
FALSE = [
    (FERRY, "Passengers Killed in Ferry At Pier"),
    (FERRY, "Ferry Strikes Pier, Killing 19 People"),
    (COUNCIL, "Hillsbury Council Killed by 9.2 Percent"),
    (COUNCIL, "Hillsbury Council Rakes Tax by 9.2 Per Cent"),
    (COUNCIL, "Hillsbury Council Votes to Raise Tax by 9.2"),
    (COUNCIL, "Hillsbury Council Votes to Raise Tax to 9.2 Per Cent"),
    (COUNCIL, "Hillsbury Council Votes to Lower Tax by 9.2 Per Cent"),
    (MAYOR, "Labour's No. 1 Mayor Wins"),
    (MAYOR, "Ann Lee Elected Mayor of Port Hallam"),
    (JAILED, "Charity Treasurer Jailled for 4 Years"),
    (JAILED, "Charity Treasurer Jailed for 4 Years"),
    (PROFIT, "Brightwell Profit Drops to 12%"),
    (SEATS, "Progress Takes 147 in Carvania"),
    (MATCH, "Calder Wins 3rd in Season"),
    (FINAL, "Westmere Wins 1st County Final in 17 Years"),
    (FERRY, "Rescued After 2 Missing After Killed"),
    (FERRY, "Ferry Strikes Pier in Pier"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("article", "said"), FALSE, ids=[said for _, said in FALSE])
def test_what_the_article_does_not_say_is_never_shown(article, said):
    written = first_choice(article, said, candidates=6)
    shown = [line.text.casefold() for line in written]
    assert said.casefold() not in shown
    assert written[0].instead
    assert len(written[0].text) < len(first_sentence(article))


@pytest.mark.parametrize(
    ("article", "said"),
    [
        (COUNCIL, "Hillsbury Council Votes to Raise Council Tax by 9.2 Per Cent"),
        (MAYOR, "Rosa Quill Elected Mayor of Port Hallam"),
        (ARTICLES[0], "Bus Crash Kills 14 People"),
    ],
)
def test_what_it_says_in_its_words_is_shown_first(article, said):
    (written,) = first_choice(article, said)
    assert written.text.casefold() == said.casefold()
    assert not written.instead
    assert written.light


def test_the_first_choice_does_not_depend_on_how_many_are_asked_for():
    said = ["Bus Crash Kills 14 People", "Bus Crash Near Lyon Killed 14 People", "Bus Kills 52", "Lyon Crash"]
    first, *others = (first_choice(ARTICLES[0], *said, candidates=count) for count in (1, 3, 20))
    assert all(written[: len(first)] == first for written in others)
    assert [line.text for line in others[1][: len(others[0])]] == [line.text for line in others[0]]


def test_progress_goes_forward_through_all_that_is_asked_of_the_writer():
    said = {row: ["Bus Crash Kills 14"] for row in range(3)}
    shares = []
    runtime = replace(EXACT, report=lambda step, done, total: shares.append((step, done / total)))
    consensus(Saying(said)).write(ARTICLES, GenerationOptions(), runtime)
    assert {step for step, _ in shares} == {"Writing headlines"}
    assert shares == sorted(shares)
    assert any(0.1 < share < 0.9 for _, share in shares)
    assert shares[-1][1] >= 0.8


def test_a_wish_goes_before_agreement():
    said = ["Bus Crash Kills 14", "Bus Crash Killed 14", "Did a Bus Crash Kill 14 People?"]
    written = first_choice(ARTICLES[0], *said, style=HeadlineStyle.QUESTION)
    assert written[0].text == "Did a bus crash kill 14 people?"


@pytest.mark.slow
def test_in_a_language_that_it_does_not_write_the_first_sentence_is_given_and_says_so():
    texts = ["В Москве в среду прошёл сильный дождь. Два человека пострадали, сообщили в полиции города.", ""]
    writer = consensus(Saying({}), languages=frozenset({"en"}))
    writer.writer.said[""] = [""]
    (written, *_), (nothing,) = writer.write(texts, GenerationOptions(candidates=3), EXACT)
    assert written.text == "В Москве прошёл сильный дождь"
    assert "(ru)" in written.instead
    assert (nothing.text, nothing.instead) == ("", "")


def test_a_table_says_which_headlines_were_not_written_and_what_their_light_is(monkeypatch):
    opened = in_table(articles_of("two", ARTICLES[:2]))
    writer = consensus(Saying({0: ["Bus Crash Kills 17"], 1: ["Profit Rises 12 Percent"]}))
    monkeypatch.setattr(Consensus, "build", lambda recipe, runtime: writer)
    monkeypatch.setattr(Consensus, "check", lambda recipe: None)
    written = write_headlines(opened.articles, "consensus", GenerationOptions(), EXACT)
    table = pd.read_csv(io.BytesIO(written_bytes(opened, written, "csv")), keep_default_na=False)
    assert [bool(note) for note in table["headline_note"]] == [True, False]
    assert all(table["headline_check"])
    assert as_object(written)["first_sentences"] == 1
    assert any("1 of 2" in note for note in written.notes)


def test_headlines_of_any_system_get_their_lights():
    articles = articles_of("two", ARTICLES[:2])
    written = write_headlines(articles, "first_sentence", GenerationOptions(candidates=2), EXACT)
    assert not any(line.light for some in written.candidates for line in some)
    assert all(line.light for some in with_lights(written, EXACT).candidates for line in some)


def test_capitals_are_put_as_an_outlet_has_them():
    article = articles_of("one", [MAYOR])
    written = (
        write_headlines(article, "compressed_sentence", GenerationOptions(case=case), EXACT).headlines[0]
        for case in (HeadlineCase.TITLE, HeadlineCase.SENTENCE)
    )
    title, sentence = written
    assert title.startswith("Independent Rosa Quill Elected Mayor of Port Hallam")
    assert sentence.startswith("Independent Rosa Quill elected mayor of Port Hallam")
    assert in_sentence_case(
        "9 Inmates Escape From Greek Prison", "Nine inmates escaped from a Greek prison"
    ) == ("9 inmates escape from Greek prison")
    assert in_sentence_case(
        "Civic Union Loses Majority in Tavria Vote",
        "The Civic Union lost Tavria's election; a customs union is left.",
    ) == ("Civic Union loses majority in Tavria vote")


@pytest.mark.slow
def test_first_choices_of_the_sample_contradict_nothing_and_are_shorter_than_the_first_sentence():
    articles, _ = open_set("sample:articles")
    texts = [text for text in articles.texts if len(first_sentence(text).split()) > 20][:12]
    writer = Saying({})
    writer.said |= {
        text: ["Nobody Killed as 77 Monkeys Rake Tax", "Mayor Jailled After After 9"] for text in texts
    }
    for text, written in zip(texts, consensus(writer).write(texts, GenerationOptions(), EXACT), strict=True):
        assert len(written[0].text) < max(map(len, leading(text)[:3]))
        assert written[0].instead
        assert written[0].light != Light.WRONG
        assert set(words_of(written[0].text)) <= set(words_of(text))


@pytest.mark.slow
def test_first_choices_of_the_default_contradict_nothing_and_are_shorter_than_the_first_sentence():
    articles, _ = open_set("sample:articles")
    rows = [row for row, text in enumerate(articles.texts) if len(first_sentence(text).split()) > 20][:6]
    written = write_headlines(articles.at(rows), default_system()[0], GenerationOptions(), EXACT)
    for text, headline, (first, *_) in zip(
        written.articles.texts, written.headlines, written.candidates, strict=True
    ):
        assert len(headline) < max(map(len, leading(text)[:3]))
        assert first.light != Light.WRONG


TEXTS = [f"Article {n} tells of a storm. It was number {n}." for n in range(120)]


def test_a_draw_does_not_depend_on_other_clusters_or_on_the_order():
    ids = list("abcdefgh")
    clusters = ["x", "y", "x", "y", "x", "", "", "x"]
    articles = articles_of("storms", TEXTS[:8], ids=ids, clusters=clusters)
    for seed in range(10):
        drawn = drawn_articles(articles, seed)
        assert drawn[5:7] == [5, 6]
        assert all(clusters[row] == cluster for row, cluster in zip(drawn, clusters, strict=True))
        backwards = articles.at(list(range(8))[::-1])
        names = [backwards.ids[row] for row in drawn_articles(backwards, seed)][::-1]
        assert names == [ids[row] for row in drawn]
        alone = articles.at([0, 2, 4, 7])
        assert alone.ids[drawn_articles(alone, seed)[0]] == ids[drawn[0]]
    assert len({drawn_articles(articles, seed)[0] for seed in range(30)}) == 4
