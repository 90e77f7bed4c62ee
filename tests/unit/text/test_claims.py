"""Whom headlines name, who acts or speaks in them, and how sure they are."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import ROOT
from core.text.claims import read_claims, vague_headlines
from core.text.tokens import fold


@pytest.mark.parametrize(
    ("text", "hedges"),
    [
        ("Mt. Gox CEO's blog hacked; alleged balances posted", ["alleged"]),
        ("RBS may have to leave independent Scotland", ["may"]),
        ("Volcanoes May Have Helped Life Survive Ice Ages", ["May"]),
        ("Trial starts on May 5 in the capital", []),
        ("Former premier Theresa May resigns after a vote", []),
        ("Storm claims 12 lives on the coast", []),
        ("US jobless claims fall to a low", []),
        ("Leak was reportedly a drill hole, according to a source", ["reportedly", "according to"]),
        ("Россия, возможно, покинет станцию, не исключил Рогозин", ["возможно", "не исключил"]),
        ("La stazione potrebbe chiudere, secondo fonti della Nasa", ["potrebbe", "secondo fonti"]),
        ("", []),
    ],
)
def test_hedges_are_found_in_three_languages(text, hedges):
    found = read_claims(text).hedges
    assert [one.text for one in found] == hedges
    assert all(text[one.start :].startswith(one.text) for one in found)


@pytest.mark.parametrize(
    ("text", "actors", "others"),
    [
        ("NASA delays launch of moon rocket with Boeing", ["NASA"], ["Boeing"]),
        ("Glitch in Nauka to blame, Russia says", ["Russia"], ["Nauka"]),
        ("Interest rates might rise in spring, says Mark Carney", ["Mark Carney"], []),
        ("Leak on station was made on purpose: Roscosmos", ["Roscosmos"], []),
        ("Plot foiled by police in Milan", ["police"], ["Milan"]),
        ("Космонавты вернулись на Землю", ["Космонавты"], ["Землю"]),
        ("По словам Рогозина, станция цела", ["Рогозина"], []),
        ("Incendio a Milano, la polizia conferma due feriti", ["polizia"], ["Milano"]),
    ],
)
def test_actors_begin_a_headline_speak_or_stand_behind_by(text, actors, others):
    known = {fold(name) for name in ("NASA", "Roscosmos", "Bank", "England", "Russia", "Nauka")}
    found = read_claims(text, known=known).phrases
    assert [one.text for one in found if one.actor] == actors
    assert [one.text for one in found if not one.actor and not one.role] == others
    assert all(text[one.start :].startswith(one.text) for one in found)


def alone(text):
    (found,) = vague_headlines([text], names=())
    return found


ISS = ROOT / "samples" / "iss" / "iss_excerpt.csv"


@pytest.mark.parametrize(
    "text",
    [
        "A way forward in gene editing",
        "What happens next?",
        "Live updates: the war",
        "Что нужно знать о выборах",
        "Cosa sapere oggi",
        "",
    ],
)
def test_vague(text):
    found = alone(text)
    assert found.is_vague
    assert found.reasons


@pytest.mark.parametrize(
    "text",
    [
        "Astronauts relocate after false alarm",
        "NASA delays launch",
        "Экипаж вернулся на Землю",
        "Video: Miley Cyrus sings on stage in London",
    ],
)
def test_not_vague(text):
    assert not alone(text).is_vague


def test_the_papers_example_stands_out_on_its_timeline():
    with ISS.open(encoding="utf-8", newline="") as lines:
        texts = [row["headline"] for row in csv.DictReader(lines)]
    found = vague_headlines(texts)
    assert [text for text, each in zip(texts, found, strict=True) if each.is_vague] == ["Waste not, want not"]


@pytest.mark.slow
@given(st.lists(st.text(max_size=40), max_size=6))
def test_scores_are_shares_and_equal_texts_score_alike(texts):
    found = vague_headlines([*texts, *texts])
    assert found[: len(texts)] == found[len(texts) :]
    assert all(0.0 <= each.score <= 1.0 for each in found)
    assert all(bool(each.reasons) == (each.score > 0) for each in found)
