"""Sentences and datelines in English, Russian and Italian."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.language import split_sentences
from core.text.normalise import without_dateline

TEXTS = [
    (
        "en",
        ["Mr. Smith went to the U.S. on Monday.", "He paid $1.5 million.", '"I am done."', "He left."],
    ),
    (
        "en",
        ["It happened at 11 a.m. Sunday.", "Rep. Jim Jordan (R-Ohio) left.", "(See it here.)", "Then more."],
    ),
    ("en", ["It goes on.", "The night of art.", "He went in."]),
    ("ru", ["В г. Москве прошёл митинг, сообщил А. С. Пушкин.", "Это стоит 5 млн руб. в год."]),
    ("ru", ["«Я ухожу!» — сказал он.", "Он родился в 1990 г. в Туле."]),
    ("it", ["Il dott. Rossi è arrivato alle 10.30.", "Il sig. Bianchi, dell'on. Verdi, paga 1.500 euro."]),
    ("it", ["L'art. 5 dice così.", "Ha detto: «Basta!» e se n'è andato.", "Che ore sono?"]),
    ("zh", ["今天天气很好。", "我们去公园。"]),
]


@pytest.mark.parametrize(("language", "expected"), TEXTS)
def test_sentences_end_where_people_end_them(language: str, expected: list[str]) -> None:
    joined = ("" if language == "zh" else " ").join(expected)
    assert split_sentences(joined, language=language) == expected


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not() -> None:
    assert split_sentences("A title\n\nIt began\nhere.", language="en") == ["A title", "It began here."]


@given(st.text(max_size=300), st.sampled_from(["en", "ru", "it"]))
def test_no_character_is_lost(text: str, language: str) -> None:
    assert "".join("".join(split_sentences(text, language=language)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "dateline",
    [
        "(Sep 25, 2016  1:28 PM CDT) ",
        "(NoneDate) ",
        "(Nov 4, 2008  3:19 PM) WASHINGTON (AP) — ",
        "(Reuters) - ",
        "OTTAWA -- ",
        "PARIS, Nov 1 — ",
        "TOKYO (Nov 14): ",
        "(ANSA) - ROMA, 04 GIU - ",
        "MILANO, 3 mag. (ANSA) - ",
        "МОСКВА, 21 авг — РИА Новости. ",
        "САНКТ-ПЕТЕРБУРГ, 25 мая. /ТАСС/. ",
        "Москва. 12 ноября. INTERFAX.RU - ",
        "НЬЮ-ЙОРК, 6 мая (Рейтер) - ",
        "КРАСНОДАР, 1 ноября, ФедералПресс. ",
        "РИАМО - 15 ноя.\u00a0",
    ],
)
def test_datelines_are_taken_off(dateline: str) -> None:
    assert without_dateline(f"{dateline}Police have arrested 5 men.") == "Police have arrested 5 men."


@pytest.mark.parametrize(
    "text",
    [
        "NASA said on Monday that 2 – or 3 – probes are lost.",
        "A 25-year-old man (AP) was seen.",
        "(Read more here.) It began on Monday.",
        "(Sep 25, 2016  1:28 PM CDT)",
        "",
    ],
)
def test_first_sentences_stay_whole(text: str) -> None:
    assert without_dateline(text) == text
