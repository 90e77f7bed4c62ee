import io
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.data.articles.article_files import in_table
from core.data.articles.articles import articles_of
from core.headlines.generator import GenerationOptions, HeadlineCandidate, HeadlineStyle
from core.headlines.generators.consensus import Consensus, ConsensusWriter
from core.headlines.writing import as_object, drawn_articles, write_headlines, written_bytes
from core.numerals.checking import load_checker
from core.parts import Part
from core.runtime import Runtime
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


def consensus(writer, draws=0, languages=frozenset()):
    return ConsensusWriter(writer, load_checker(None, EXACT), 4, draws, languages)


def test_the_headline_that_most_agree_on_comes_first():
    said = {1: ["Shares Fall", "Bank to Close 40 Branches", "Bank Will Close 40 Branches"]}
    (written,) = consensus(Saying(said)).write(ARTICLES[1:2], GenerationOptions(candidates=3), EXACT)
    assert written[-1].text == "Shares Fall"
    assert [one.score for one in written] == sorted((one.score for one in written), reverse=True)


def test_a_wrong_number_is_marked_and_not_replaced():
    (written,) = consensus(Saying({0: ["Bus Crash Kills 17"]})).write(
        ARTICLES[:1], GenerationOptions(), EXACT
    )
    assert (written[0].text, written[0].instead) == ("Bus Crash Kills 17", "")
    assert "14" in written[0].caution
    both = Saying({0: ["Bus Crash Kills 17", "Bus Crash Kills 14"]})
    (written,) = consensus(both).write(ARTICLES[:1], GenerationOptions(candidates=2), EXACT)
    assert [bool(one.caution) for one in written] == [False, True]


def test_progress_goes_forward_through_all_that_is_asked_of_the_writer():
    said = {row: ["Bus Crash Kills 14"] for row in range(3)}
    shares = []
    runtime = replace(EXACT, report=lambda step, done, total: shares.append((step, done / total)))
    consensus(Saying(said), draws=12).write(ARTICLES, GenerationOptions(), runtime)
    assert {step for step, _ in shares} == {"Writing headlines"}
    assert shares == sorted(shares)
    assert any(0.1 < share < 0.9 for _, share in shares)
    assert shares[-1][1] > 0.9


def test_words_that_the_article_lacks_count_against_a_headline():
    said = Saying({1: ["Benk Profits Rise", "Bank Profits Rise"]})
    (written,) = consensus(said).write(ARTICLES[1:2], GenerationOptions(candidates=2), EXACT)
    assert [one.text for one in written] == ["Bank Profits Rise", "Benk Profits Rise"]
    assert "“Benk”" in written[1].caution


def test_a_wish_goes_before_agreement():
    said = {0: ["Bus Crash Kills 14", "Bus Crash Killed 14", "Did a Bus Crash?"]}
    options = GenerationOptions(style=HeadlineStyle.QUESTION)
    (written,) = consensus(Saying(said)).write(ARTICLES[:1], replace(options, candidates=3), EXACT)
    assert written[0].text == "Did a Bus Crash?"


def test_in_a_language_that_it_does_not_write_the_first_sentence_is_given_and_says_so():
    texts = ["В Москве прошёл сильный дождь. Два человека пострадали, сообщили в полиции города.", ""]
    writer = consensus(Saying({}), languages=frozenset({"en"}))
    writer.writer.said[""] = [""]
    (written,), (nothing,) = writer.write(texts, GenerationOptions(candidates=3), EXACT)
    assert written.text == "В Москве прошёл сильный дождь."
    assert "(ru)" in written.instead
    assert (nothing.text, nothing.instead) == ("", "")


def test_a_table_says_what_is_to_be_checked(monkeypatch):
    opened = in_table(articles_of("two", ARTICLES[:2]))
    writer = consensus(Saying({0: ["Bus Crash Kills 17"], 1: ["Bank Profit Rises"]}))
    monkeypatch.setattr(Consensus, "build", lambda recipe, runtime: writer)
    monkeypatch.setattr(Consensus, "check", lambda recipe: None)
    written = write_headlines(opened.articles, "consensus", GenerationOptions(), EXACT)
    table = pd.read_csv(io.BytesIO(written_bytes(opened, written, "csv")), keep_default_na=False)
    assert [bool(note) for note in table["headline_note"]] == [True, False]
    assert as_object(written)["to_check"] == 1
    assert any("1 of 2" in note for note in written.notes)


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
