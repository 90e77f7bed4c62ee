"""Verdicts on whole headlines: sentences of the article itself, and what is said beside numbers."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from functools import cache

import pytest

from core.data.files import SAMPLES
from core.numerals.checked_headline import PASSING, Light
from core.numerals.checking import Checker, load_checker
from core.numerals.checks.verdicts import EXITS, as_lines, as_object, exit_code
from core.numerals.claims import outcomes
from core.numerals.claims.whole import QUOTED, whole_verdict
from core.numerals.question import ReadArticle, read_article
from core.runtime import Runtime

LOOK = {Light.CHECK, Light.WRONG}


@cache
def read(text: str) -> ReadArticle:
    return read_article(text)


def light(headline: str, article: str) -> Light:
    found = whole_verdict(headline, read(article))
    assert found is not None
    return found.light


FERRY = (
    "The ferry Margarethe struck a pier on Monday, injuring 27 people, police said. "
    "No passenger drowned, and the captain was not arrested. "
    "If the inquiry finds fault, the operator will pay 3 million euros. "
    "Officials denied that 40 people had died. Nine sailors were missing. That was wrong."
)


@pytest.mark.parametrize(
    "headline",
    [
        "The ferry Margarethe struck a pier on Monday, injuring 27 people, police said",
        "The ferry Margarethe struck a pier on Monday, injuring 27 people",
        "THE FERRY MARGARETHE STRUCK A PIER ON MONDAY!",
        "“The ferry Margarethe struck a pier on Monday, injuring 27 people”",
        "Officials denied that 40 people had died",
    ],
)
def test_what_the_article_says_word_for_word_is_supported(headline: str) -> None:
    assert light(headline, FERRY) is Light.SUPPORTED


@pytest.mark.parametrize(
    "headline",
    [
        "Passenger drowned, and the captain was not arrested",
        "The captain was arrested",
        "The operator will pay 3 million euros",
        "40 people had died",
        "Nine sailors were missing",
    ],
)
def test_no_headline_is_supported_that_drops_what_changes_it(headline: str) -> None:
    assert light(headline, FERRY) is not Light.SUPPORTED


def articles() -> Iterator[tuple[str, str]]:
    csv.field_size_limit(1_000_000)
    for sample in ("articles/articles.csv", "articles_ru/articles.csv", "numhg/numhg_slice.csv"):
        with (SAMPLES / sample).open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                yield sample, max(row.values(), key=len)
    for path in sorted((SAMPLES / "written_claims" / "invented" / "train").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)["article"]


@pytest.mark.slow
def test_every_first_sentence_with_a_number_is_supported_by_its_article() -> None:
    doubted, count = list[str](), 0
    for _, text in articles():
        article = read_article(text)
        (start, end), *_ = article.sentences
        sentence = article.text[max(start, article.dateline) : end].strip()
        if len(sentence.split()) >= 4 and re.search(r"\d", sentence):
            count += 1
            for said in (sentence, sentence.rstrip("."), f"“{sentence}”"):
                verdict = whole_verdict(said, article)
                doubted += [] if verdict and verdict.reason == QUOTED else [said]
    assert count > 500
    assert doubted == []


SAID = (
    (
        "Vera Halas lost the election on Sunday. Halas said that she would stay on as leader of the Union. "
        "Mirkov won the election in Carvania with ease.",
        "Halas wins election in Carvania",
        "Mirkov wins election in Carvania",
    ),
    (
        "The council rejected the plan for a new harbour on Monday. The mayor was disappointed.",
        "Council approves plan for new harbour",
        "Council rejects plan for new harbour",
    ),
    (
        "Nobody was killed when a ferry struck the pier in Hamburg, the harbour said.",
        "Passengers killed as ferry strikes pier in Hamburg",
        "Ferry strikes pier in Hamburg, no one is killed",
    ),
    (
        "Der Stadtrat von Waldesheim lehnte den Neubau der Brücke am Montag ab.",
        "Stadtrat von Waldesheim beschließt Neubau der Brücke",
        "Stadtrat von Waldesheim lehnt Neubau der Brücke ab",
    ),
    (
        "Le conseil municipal de Fontenelle a rejeté lundi le projet de piscine.",
        "Fontenelle : le conseil municipal adopte le projet de piscine",
        "Fontenelle : le conseil municipal rejette le projet de piscine",
    ),
    (
        "Il tribunale di Lesina ha assolto martedì il sindaco Marchetti.",
        "Lesina, il tribunale condanna il sindaco Marchetti",
        "Lesina, il tribunale assolve il sindaco Marchetti",
    ),
    (
        "Городской совет Озёрска отклонил в понедельник проект моста.",
        "Городской совет Озёрска одобрил проект моста",
        "Городской совет Озёрска отклонил проект моста",
    ),
    (
        "El pleno de Villarejo aprobó el lunes el presupuesto de la alcaldesa Beltrán.",
        "El pleno de Villarejo tumba el presupuesto de Beltrán",
        "El pleno de Villarejo aprueba el presupuesto de Beltrán",
    ),
    (
        "A Câmara de Nova Itaporã aprovou na segunda-feira o aumento da passagem de ônibus.",
        "Câmara de Nova Itaporã derruba aumento da passagem",
        "Câmara de Nova Itaporã aprova aumento da passagem",
    ),
)


@pytest.mark.parametrize(("article", "false", "true"), SAID)
def test_the_opposite_of_what_the_article_says_asks_for_a_look(article: str, false: str, true: str) -> None:
    assert light(false, article) in LOOK
    assert light(true, article) in PASSING


def test_a_plan_is_not_done_and_who_stays_has_not_resigned() -> None:
    article = (
        "The council plans to close the Fenwick lido next year. Halas, who leads the Union, said he would "
        "stay on as leader after the defeat."
    )
    assert light("Fenwick lido has closed", article) in LOOK
    assert light("Halas quits as Union leader after defeat", article) in LOOK
    assert light("Council plans to close Fenwick lido", article) in PASSING


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker(None, Runtime())


def test_a_headline_without_a_number_is_judged_like_any_other(checker: Checker) -> None:
    article = f"{SAID[1][0]} The harbour would cost 3 million euros."
    lines = (*SAID[1][1:], "The mayor was disappointed", "Harbour for 5 million euros is rejected")
    false, true, own, number = checker.check(lines, [article] * len(lines), Runtime())
    assert (false.light, true.light, own.light) == (Light.CHECK, Light.FOUND, Light.SUPPORTED)
    assert number.light in LOOK
    assert exit_code([false, true]) == EXITS[Light.CHECK]
    assert exit_code([true, own]) == 0
    told = as_object([false], article="a.txt")["headlines"][0]
    assert told["whole"]["light"] == told["light"] == "check this"
    assert "rejected" in told["whole"]["sentence"]
    assert any("rejected" in line.text for line in as_lines([false]) if line.role == "source")


def test_numbers_of_a_sentence_of_the_article_are_supported(checker: Checker) -> None:
    article = (
        "About 45,000 accounts were shut down on Monday, up from 12,000 a year ago. Facebook has 3 offices."
    )
    found = checker.check(["About 45,000 accounts were shut down on Monday"], [article], Runtime())[0]
    assert found.light is Light.SUPPORTED
    assert {each.claim.light for each in found.numerals} == {Light.SUPPORTED}


@pytest.mark.slow
def test_most_written_headlines_that_meet_a_reason_are_false() -> None:
    met: dict[str, list[bool]] = {}
    for path in sorted((SAMPLES / "written_claims" / "invented").glob("*/*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            for truth in ("true", "false", "true_plain", "false_plain"):
                for headline in row.get(truth, []):
                    verdict = whole_verdict(headline, read_article(row["article"]))
                    if verdict and verdict.rule:
                        met.setdefault(verdict.rule, []).append(truth.startswith("false"))
    assert {rule: (sum(false), len(false)) for rule, false in met.items()} == outcomes.WORTH
    assert [rule for rule, false in met.items() if sum(false) < 0.8 * len(false)] == []
