"""Any generator with its candidates in a numeral-safe order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, ModelUnavailableError, UnknownNameError
from core.headlines.generator import Generator, HeadlineCandidate, Wishes, headline_generators
from core.headlines.generators.sentences import DEEPEST, NumeralSafe, SafeWriter
from core.headlines.numeral_safety import bad_numerals
from core.models.language_models.writing.allowed_numbers import NUMBER
from core.numerals.checking import Checker, load_checker
from core.runtime import Runtime

EXACT = Runtime(half=False)
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


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker("pointer.v1", EXACT)


def around(generator: Generator, checker: Checker, **given: Any) -> SafeWriter:
    settings = {"candidates": 8, "draws": 0, "weight": 0.2} | given
    return SafeWriter(generator, checker, **settings)


def test_headlines_with_numbers_that_do_not_hold_come_last(checker: Checker) -> None:
    found = around(Saying(SAID), checker).write(ARTICLES, Wishes(candidates=8), EXACT)
    assert [sorted(one.text for one in some) for some in found] == [sorted(SAID[row]) for row in range(3)]
    for article, some in zip(ARTICLES, found, strict=True):
        checks = checker.check([one.text for one in some], [article] * len(some), EXACT)
        bad = [bad_numerals(check) for check in checks]
        assert bad == sorted(bad)
    assert found[0][0].text == "Bus Crash Kills 14"
    assert found[0][-1].text == "14 Dead, 99 Hurt, 7 Missing"


def test_where_no_headline_passes_the_first_sentence_comes_first_and_says_so(checker: Checker) -> None:
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
def test_in_languages_that_it_does_not_know_the_first_sentence_is_given(
    checker: Checker, text: str, languages: frozenset[str], why: str
) -> None:
    inner = Saying({})
    (found,) = around(inner, checker, languages=languages).write([text], Wishes(candidates=3), EXACT)
    assert [one.text.rstrip("…") in text for one in found] == [True]
    assert why in found[0].instead


def test_drawn_headlines_are_asked_for_beside_the_likeliest(checker: Checker) -> None:
    inner = Saying(SAID)
    (found,) = around(inner, checker, draws=5).write(ARTICLES[:1], Wishes(candidates=8), EXACT)
    assert [(one.candidates, one.sample) for one in inner.asked] == [(8, False), (5, True)]
    assert sorted(one.text for one in found) == sorted(SAID[0])


def test_a_number_among_words_of_another_sentence_does_not_pass(checker: Checker) -> None:
    said = ["Band Hurts 30 on Way to Spain", "Bus Crash Kills 14"]
    (found,) = around(Saying({0: said}), checker).write(ARTICLES[:1], Wishes(), EXACT)
    assert found[0].text == said[1]
    (found,) = around(Saying({0: said[:1]}), checker).write(ARTICLES[:1], Wishes(), EXACT)
    assert found[0].instead
    (found,) = around(Saying({0: said[:1]}), checker, abstain=False).write(ARTICLES[:1], Wishes(), EXACT)
    assert (found[0].text, found[0].instead) == (said[0], "")


def test_signatures_stand_inside_each_other() -> None:
    one = NumeralSafe(generator="first_sentence|most_words:7", attacher="pointer")
    assert one.generator == "first_sentence.v1|most_words:7"
    two = NumeralSafe(generator=headline_generators.signature(one), candidates=3, constrain=True)
    signature = headline_generators.signature(two)
    assert "generator:(numeral_safe.v1|generator:(first_sentence.v1|most_words:7)|" in signature
    assert headline_generators.parse(signature) == two
    assert headline_generators.parse("numeral_safe") == NumeralSafe()


def test_what_is_inside_must_exist_and_not_be_too_deep() -> None:
    with pytest.raises(UnknownNameError):
        NumeralSafe(generator="nobody")
    with pytest.raises(UnknownNameError):
        NumeralSafe(attacher="nobody")
    with pytest.raises(InputError):
        NumeralSafe(generator="first_sentence|most_words:-3")
    deep = "first_sentence"
    for _ in range(DEEPEST):
        deep = headline_generators.signature(NumeralSafe(generator=deep))
    too_deep = headline_generators.signature(NumeralSafe(generator=deep))
    with pytest.raises(InputError, match="stand around each other"):
        NumeralSafe(generator=too_deep)
    with pytest.raises(ModelUnavailableError):
        NumeralSafe(generator="causal|model:no_such_folder").check()


def test_only_a_language_model_can_be_held_to_numbers(tiny_gpt2: Path) -> None:
    with pytest.raises(InputError, match="cannot be held"):
        NumeralSafe(generator="first_sentence", attacher="pointer", constrain=True).build(EXACT)
    inner = f"causal|model:{tiny_gpt2}|headline_tokens:20"
    recipe = NumeralSafe(generator=inner, attacher="pointer", constrain=True)
    for article, some in zip(
        ARTICLES, recipe.build(EXACT).write(ARTICLES, Wishes(candidates=4), EXACT), strict=True
    ):
        written = {number for one in some for number in NUMBER.findall(one.text)}
        assert len(written - set(NUMBER.findall(article))) <= 2
