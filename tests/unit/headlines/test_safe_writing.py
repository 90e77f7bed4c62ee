from collections.abc import Sequence

import pytest

from core.data.articles.articles import articles_of
from core.headlines.extractive import first_sentence
from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.generators.sentences import SafeWriter
from core.headlines.grounding import ABSENT, NOWHERE, Grounding, grounding_of
from core.headlines.numeral_safety import bad_numerals
from core.headlines.writing import drawn_articles, write_for_events, write_headlines
from core.numerals.checking import load_checker
from core.parts import Part
from core.runtime import Runtime
from research.training.headlines.lessons import ready_articles

EXACT = Runtime(half=False)
ARTICLE = (
    "A judge sent Tim Roe to jail for 90 days on Monday. The 19-year-old must also stay on the list of "
    "offenders for 25 years. His lawyer said that 12 other cases like this are waiting at the court."
)


@pytest.fixture(scope="module")
def checker():
    return load_checker("pointer.v1", EXACT)


def grounding(headline, checker):
    (check,) = checker.check([headline], [ARTICLE], EXACT)
    return grounding_of(check)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headline", "grounded"),
    [
        ("Judge Sent Roe to Jail for 90 Days", True), ("Judge Jails Tim Roe for 90 Days", True),
        ("Judge Sent Roe to Jail", True), ("Lawyer: Roe on Offenders List 90 Days", False),
        ("Court Sues Roe for 90 Days", False), ("Judge Sent Tim Roe to Jail for 25 Years", False),
        ("90 Days in Jail", True),
    ],
)  # fmt: skip
def test_words_of_the_numbers_sentence_are_grounded(headline, grounded, checker):
    assert grounding(headline, checker).grounded is grounded


def test_what_is_told(checker):
    assert grounding("", checker) == Grounding()
    assert grounding("Roe Sues the Mayor", checker) == Grounding(foreign=("Sues", "Mayor"))
    lawyer = grounding("Lawyer Waiting 90", checker)
    assert (lawyer.shared, lawyer.foreign, lawyer.distance) == (0.0, (), ABSENT)
    nowhere = grounding("Roe Jailed for 17 Weeks", checker)
    assert (nowhere.distance, nowhere.between) == (ABSENT, NOWHERE)
    assert [grounding(f"{one} 90 Days", checker).between for one in ("Jail", "Tim", "Monday")] == [0, 2, 4]


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
SAID = {
    0: ["Bus Crash Kills 17", "Bus Crash Kills 14", "Bus Crash Kills Many", "14 Dead, 99 Hurt, 7 Missing"],
    1: ["Bank Profit Rises", "Bank to Close 40 Branches"],
    2: ["Nobody Comes"],
}


class Saying:
    """A generator that is known beforehand."""

    def __init__(self, said: dict[int, list[str]]) -> None:
        self.said = {ARTICLES[row]: lines for row, lines in said.items()}
        self.asked: list[Wishes] = []

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        self.asked.append(wishes)
        return [
            [HeadlineCandidate(line, -1.0 - 0.01 * place) for place, line in enumerate(self.said[text])][
                : wishes.candidates
            ]
            for text in articles
        ]


def around(generator, checker, **given):
    settings = {"candidates": 8, "draws": 0, "weight": 0.2} | given
    return SafeWriter(generator, checker, **settings)


def test_headlines_with_numbers_that_do_not_hold_come_last(checker):
    found = around(Saying(SAID), checker).write(ARTICLES, Wishes(candidates=8), EXACT)
    assert [sorted(one.text for one in some) for some in found] == [sorted(SAID[row]) for row in range(3)]
    for article, some in zip(ARTICLES, found, strict=True):
        checks = checker.check([one.text for one in some], [article] * len(some), EXACT)
        bad = [bad_numerals(check) for check in checks]
        assert bad == sorted(bad)
    assert found[0][0].text == "Bus Crash Kills 14"
    assert found[0][-1].text == "14 Dead, 99 Hurt, 7 Missing"


def test_where_no_headline_passes_the_first_sentence_comes_first_and_says_so(checker):
    said = {0: ["Bus Crash Kills 17", "Bus Crash Kills 99"], 1: ["Bank Profit Rises"]}
    found = around(Saying(said), checker).write(ARTICLES[:2], Wishes(candidates=2), EXACT)
    assert found[0][0].text == "A bus crash near Lyon killed 14 people on Monday"
    assert found[0][0].instead.startswith("No headline was sure enough to stand first. ")
    assert [one.instead for one in (*found[0][1:], *found[1])] == ["", ""]
    assert len(found[0]) == 2


@pytest.mark.parametrize(
    ("text", "languages", "why"),
    [
        (
            "В Москве прошёл сильный дождь. Два человека пострадали, сообщили в полиции города.",
            frozenset({"en"}),
            "does not write the article's language (ru)",
        ),
        (
            "El presidente del gobierno anunció ayer que las medidas costarán dos millones de euros. La "
            "oposición dijo que no está de acuerdo con ellas y que las votará en contra la próxima semana.",
            frozenset(),
            "Numbers are not read in the article's language (Spanish)",
        ),
    ],
)
def test_in_languages_that_it_does_not_know_the_first_sentence_is_given(checker, text, languages, why):
    inner = Saying({})
    (found,) = around(inner, checker, languages=languages).write([text], Wishes(candidates=3), EXACT)
    assert [one.text.rstrip("…") in text for one in found] == [True]
    assert why in found[0].instead


def test_a_number_among_words_of_another_sentence_does_not_pass(checker):
    said = ["Band Hurts 30 on Way to Spain", "Bus Crash Kills 14"]
    (found,) = around(Saying({0: said}), checker).write(ARTICLES[:1], Wishes(), EXACT)
    assert found[0].text == said[1]
    (found,) = around(Saying({0: said[:1]}), checker).write(ARTICLES[:1], Wishes(), EXACT)
    assert found[0].instead
    (found,) = around(Saying({0: said[:1]}), checker, abstain=False).write(ARTICLES[:1], Wishes(), EXACT)
    assert (found[0].text, found[0].instead) == (said[0], "")


TEXTS = [f"Article {n} tells of a storm. It was number {n}." for n in range(120)]


def test_every_article_gets_its_headline_and_progress_is_told():
    told: list[tuple[str, int, int]] = []
    runtime = Runtime(report=lambda *one: told.append(one))
    written = write_headlines(articles_of("storms", TEXTS), "first-sentence", Wishes(), runtime)
    assert written.headlines == tuple(first_sentence(text) for text in TEXTS)
    assert written.outputs().system == "first_sentence.v1"
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert told[-1] == ("Writing headlines", 120, 120)


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


def test_every_system_reads_the_same_article_of_a_cluster():
    articles = articles_of("storms", TEXTS[:6], clusters=["x", "x", "x", "y", "y", ""])
    lead = write_for_events(articles, "lead_one", Wishes(), Runtime(seed=4))
    first = write_for_events(articles, "first_sentence", Wishes(), Runtime(seed=4))
    assert lead.headlines == first.headlines
    assert len(set(lead.headlines)) == 3
    assert lead.articles is articles
