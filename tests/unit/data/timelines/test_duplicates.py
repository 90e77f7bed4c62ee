import numpy as np
import pytest

from core.data.timelines import duplicates
from core.data.timelines.duplicates import DuplicateKind, find_duplicates, fold
from core.data.timelines.load import load_sample


def near(a: str, b: str, **more) -> bool:
    found = find_duplicates([a, b], **more)
    return found.kind[1] == DuplicateKind.NEAR and found.duplicate_of[1] == 0


def test_exact_copies_point_to_the_first():
    found = find_duplicates(["A b", "C d", "A  b", "C d", "A b"])
    assert found.duplicate_of.tolist() == [0, 1, 0, 1, 0]
    assert found.kind.tolist() == [0, 0, 1, 1, 1]
    assert (found.exact, found.near) == (3, 0)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Crew returns safely to the station", "CREW RETURNS SAFELY TO THE STATION"),
        ("Crew 'returns' safely to the station", 'Crew "returns" safely to the station!'),
        ("Yes!", "Yes?"),
        ("Crew returns safely to the station", "Crew returns safely to the station - Reuters"),
        ("Crew returns safely to the station", "Crew returns safely to the station | bbc.co.uk"),
        ("Crew returns safely to the station", "UPDATE 2-Crew returns safely to the station"),
        ("Crew returns safely to the station (1)", "VIDEO: Crew returns safely to the station"),
        ("Crew returns safely to the space station", "Crew returns safely to the..."),
        ("Crew returns safely to the spacestation today", "Crew returns safely to the space station today"),
        (
            "Crew's reliance on the aging module threatens plans",
            "RPT-UPDATE 2-Crew's reliance on aging module threatens plans - Fox News",
        ),
        (
            "World stocks fall after weak exports",
            "GLOBAL MARKETS-World stocks fall after weak exports | Gazzetta",
        ),
        (
            "Beyoncé fuelled the debate on organisation of tours",
            "Beyonce fueled the debate on organization of tours",
        ),
        ("Crew returns safely to the station...", "Crew returns safely to the station after an alarm"),
        ("Экипаж вернулся на станцию после тревоги", "ЭКИПАЖ вернулся на станцию, после тревоги"),
    ],
)
def test_syndicated_copies(a, b):
    assert near(a, b)
    assert near(b, a)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Flood kills {} people in the north of the country", "5", "6"),
        ("The crew is {}safe aboard the space station today", "", "not "),
        ("{} says that it will attend the peace talks in Vienna", "Iran", "Iraq"),
        ("{} people die when a bridge falls into the river near Genoa", "Five", "Nine"),
        ("Company loses {} of euros after an attack on its computers", "millions", "billions"),
        ("{} signs a treaty on the exchange of prisoners with Spain", "Austria", "Australia"),
        ("Court says the minister {} resign over the affair of the yachts", "may", "will"),
        ("Weapons that were found in the port had been sent {} Yemen by sea", "to", "from"),
        ("Ruling: {} in the long case over the border river", "Iran beats Iraq", "Iraq beats Iran"),
        ("Explosion at a factory in Lyon - {}", "Two Dead", "Ten Hurt"),
        ("{}", "?", "!"),
        ("Man win{}s", "", "d"),
    ],
)
def test_what_differs_in_substance_is_no_copy(text, one, other):
    assert find_duplicates([text.format(one), text.format(other)]).duplicate_of.tolist() == [0, 1]


def test_a_known_publisher_of_many_words_is_cut_off():
    a, b = "Crew returns safely to the station", "Crew returns safely to the station - the daily planet news"
    assert not near(a, b)
    assert near(a, b, publishers=["x", "The Daily Planet News"])


def test_a_copy_of_a_copy_belongs_to_the_first():
    crew = "Crew returns safely to the station"
    found = find_duplicates([crew, "x", crew.replace("Crew", "CREW"), crew.replace("Crew", "CREW")])
    assert found.duplicate_of.tolist() == [0, 1, 0, 0]
    assert found.kind.tolist() == [0, 0, DuplicateKind.NEAR, DuplicateKind.NEAR]


def test_a_headline_cut_short_joins_no_two_that_go_on_in_different_ways():
    texts = [f"Crew returns safely to the{end}" for end in ("...", " moon", " sea")]
    assert find_duplicates(texts).duplicate_of.tolist() == [0, 1, 2]
    assert find_duplicates(texts[:2]).duplicate_of.tolist() == [0, 0]


def test_small_changes_do_not_add_up_to_another_report():
    names = "Iran Iraq Oman Peru Chad Cuba Mali Fiji".split()  # noqa: SIM905
    texts = [f"{name} says that it will attend the peace talks in Vienna this week" for name in names]
    texts += [f"{name} say it will attend peace talks in Vienna this week" for name in names]
    found = find_duplicates(texts)
    assert found.duplicate_of.tolist()[:8] == list(range(8))
    assert len(set(found.duplicate_of.tolist())) >= 8


def test_an_ending_is_an_outlet_where_it_recurs_behind_different_headlines():
    heads = [
        "Crew returns safely to the station",
        "Rocket explodes on the way",
        "Probe lands on the far moon",
    ]
    texts = [*heads, *(f"{head} - Gazzetta" for head in heads)]
    assert find_duplicates(texts).duplicate_of.tolist() == [0, 1, 2, 0, 1, 2]
    assert find_duplicates([heads[0], texts[3]]).duplicate_of.tolist() == [0, 1]


@pytest.mark.parametrize(
    "text",
    ["UPDATE 1-" * 2_000, "[a]" * 2_000, "RPT-", "- " * 3_000, "…" * 3_000, "e" + "\u0301" * 5_000],
    ids=["labels", "brackets", "a label", "dashes", "dots", "accents"],
)
def test_hostile_headlines_are_read_like_others(text):
    found = find_duplicates([text, "Crew returns safely to the station", text])
    assert found.duplicate_of.tolist() == [0, 1, 0]


def test_work_grows_with_the_number_of_headlines(monkeypatch):
    compared = []
    same = duplicates._same_wording
    monkeypatch.setattr(duplicates, "_same_wording", lambda a, b: compared.append(1) or same(a, b))
    texts = [
        f"Quake of a kind nobody knew {('hits', 'moves')[k % 2]} the coast near {'b' * (k % 40)} {k % 90:02}"
        for k in range(1_200)
    ]
    find_duplicates(texts)
    assert len(compared) <= 3 * duplicates.NEIGHBOURS * len(texts)


def test_fold_and_back():
    timeline = load_sample("uci")
    found = find_duplicates(timeline.texts, publishers=list(timeline.table["publisher"]))
    assert found.exact == 25
    assert 80 < found.near < 250
    assert not find_duplicates(load_sample("iss").texts).kind.any()
    assert len(find_duplicates([]).duplicate_of) == 0
    folded = fold(timeline, found)
    assert len(folded.timeline) == len(timeline) - found.exact - found.near
    assert folded.timeline.texts == [timeline.texts[row] for row in folded.kept]
    assert np.array_equal(folded.kept[folded.position], found.duplicate_of)
    assert (found.duplicate_of <= np.arange(len(timeline))).all()
