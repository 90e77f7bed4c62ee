from core.data.articles.articles import articles_of
from core.parts import Part
from research.training.headlines.lessons import ready_articles


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


def test_what_cannot_be_learned_from_is_counted():
    given = articles_of(
        "one",
        ["a b", "", "c d", "a b"],
        references=[("A",), ("B",), (), ("A again",)],
        parts=[Part.TRAIN] * 4,
    )
    _, notes = ready_articles([given])
    assert notes == [
        "2 articles without text or headline were left out.",
        "1 articles with the text of another one were left out.",
    ]


def test_a_tenth_watches_where_nothing_is_marked():
    texts = [f"article number {number}" for number in range(1000)]
    given = articles_of("one", texts, references=[("H",)] * 1000, parts=Part.TRAIN)
    found, _ = ready_articles([given])
    assert 70 <= len(found.part(Part.VALIDATION)) <= 130
    again, _ = ready_articles([given.at(range(500, 1000))])
    assert (
        dict(zip(again.texts, again.parts, strict=True)).items()
        <= dict(zip(found.texts, found.parts, strict=True)).items()
    ), "an article stays in its part"


def test_sets_are_joined_with_ids_of_their_own():
    sets = [
        articles_of(name, [f"{name} text"], references=[("H",)], clusters=["1"], parts=Part.TRAIN)
        for name in ("one", "two")
    ]
    found, _ = ready_articles(sets)
    assert found.ids == ("one/0", "two/0")
    assert found.clusters == ("one/1", "two/1")
