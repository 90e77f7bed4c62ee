from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import ROOT
from core.text.claims import Vagueness, vague_headlines


def alone(text: str) -> Vagueness:
    (found,) = vague_headlines([text], names=())
    return found


ISS = ROOT / "samples" / "iss" / "iss_excerpt.csv"


@pytest.mark.parametrize(
    "text",
    [
        "A way forward in gene editing",
        "No pain, no gain",
        "What happens next?",
        "Live updates: the war",
        "VIDEO",
        "What you need to know about the election",
        "Что нужно знать о выборах",
        "Обзор дня",
        "Cosa sapere oggi",
        "",
    ],
)
def test_vague(text: str) -> None:
    found = alone(text)
    assert found.is_vague
    assert found.reasons


@pytest.mark.parametrize(
    "text",
    [
        "Astronauts relocate after false alarm",
        "NASA delays launch",
        "6 evacuate station",
        "Экипаж вернулся на Землю",
        "Il governo di Roma approva la manovra",
        "Video: Miley Cyrus sings on stage in London",
    ],
)
def test_not_vague(text: str) -> None:
    assert not alone(text).is_vague


def test_the_papers_example_stands_out_on_its_timeline() -> None:
    with ISS.open(encoding="utf-8", newline="") as lines:
        texts = [row["headline"] for row in csv.DictReader(lines)]
    found = vague_headlines(texts)
    assert [text for text, each in zip(texts, found, strict=True) if each.is_vague] == ["Waste not, want not"]


def test_words_of_the_timeline_count() -> None:
    texts = ["Cold comfort", "Crew lands in steppe after long flight", "Crew lands safely after flight"]
    among, *_ = vague_headlines(texts)
    assert any("another headline" in reason for reason in among.reasons)
    assert among.score > alone(texts[0]).score


def test_no_headlines() -> None:
    assert vague_headlines([]) == []


@pytest.mark.slow
@given(st.lists(st.text(max_size=40), max_size=6))
def test_scores_are_shares_and_equal_texts_score_alike(texts: list[str]) -> None:
    found = vague_headlines([*texts, *texts])
    assert found[: len(texts)] == found[len(texts) :]
    assert all(0.0 <= each.score <= 1.0 for each in found)
    assert all(bool(each.reasons) == (each.score > 0) for each in found)
