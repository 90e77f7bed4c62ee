"""What pairs of two languages show."""

import numpy as np
import pytest

from core.pairs.features.across_languages import across_languages, sound
from core.pairs.selection import Tile
from core.pairs.timeline_context import BY_FORMULA, SEVERAL_LANGUAGES, scorer_of
from core.text.timeline_reading import TimelineReading

ENGLISH, RUSSIAN = 1, 2


@pytest.mark.parametrize(
    "spellings",
    [
        ("Netanyahu", "Нетаньяху", "Netanjahu"),
        ("Poutine", "Putin", "Путин"),
        ("Erdoğan", "Erdogan", "Эрдоган"),
        ("Juncker", "Юнкер"),
        ("Zelensky", "Зеленский", "Selenskyj"),
    ],
)
def test_spellings_of_one_name_sound_alike(spellings):
    assert len(set(map(sound, spellings))) == 1


def test_other_names_sound_otherwise_and_what_has_no_sound_is_nothing():
    assert len(set(map(sound, ("Macron", "Merz", "Moscow", "Meloni", "Madrid")))) == 5
    assert sound("ьъ") == ""


def columns(languages):
    """Six events in each of two languages, whose vectors lie far apart."""
    vectors = np.zeros((12, 8), dtype=np.float32)
    vectors[np.arange(12), np.arange(12) % 6] = 1
    vectors[:6, 6] = vectors[6:, 7] = 2
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = [["Putin"], *[[]] * 5, ["Путин"], *[[]] * 5]
    every = Tile(slice(0, 12), slice(0, 12))
    return vectors, dict(across_languages(names, vectors, np.array(languages))(every))


def test_a_cosine_stands_among_those_with_the_other_s_language():
    vectors, found = columns([ENGLISH] * 6 + [RUSSIAN] * 6)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[6]
    among = found["meaning among its language"]
    assert among[0, 6] > among[0, 1] > among[0, 7]
    assert found["meaning of the less near of its language"][0, 6] == pytest.approx(1)
    assert found["two languages"][0].tolist() == [0] * 6 + [1] * 6
    assert np.flatnonzero(found["names that sound alike"][0]).tolist() == [0, 6]
    for name, values in found.items():
        assert np.allclose(values, values.T), name


def test_where_languages_are_not_known_none_differ():
    assert not columns([-1] * 12)[1]["two languages"].any()


@pytest.mark.parametrize(("new", "scorer"), [(0, SEVERAL_LANGUAGES), (6, BY_FORMULA)])
def test_beside_languages_that_taught_nothing_the_formula_groups(new, scorer):
    taught = ["Gericht verurteilt früheren Bürgermeister", "La Bourse de Paris termine en forte hausse"]
    swedish = ["Regeringen föreslår sänkt skatt på mat", "Polisen söker vittnen efter branden i natt"]
    reading = TimelineReading([f"{text} {n}" for text in taught for n in "ab" * 10] + swedish * new)
    assert reading.language == "mixed"
    assert scorer_of("auto", reading=reading) == scorer_of(scorer)
