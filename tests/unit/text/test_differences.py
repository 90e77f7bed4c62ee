import pytest

from core.text.differences import Clash, MarkKind, compare, mark


def of_kind(text, marks, *kinds):
    return {text[one.start : one.end] for one in marks if one.kind in kinds}


def test_shared_and_added_words():
    left = "Nasa casts doubt on Russian theory ISS air leak was sabotage"
    right = "Nasa casts doubt on claims International Space Station leak was deliberate"
    found = compare(left, right, known=frozenset({"nasa"}))
    assert found.shared_names == ("Nasa", "ISS")
    assert found.shared_words == ("casts", "doubt", "leak")
    assert of_kind(left, found.left_marks, MarkKind.ADDED_NAME) == {"Russian"}
    assert of_kind(left, found.left_marks, MarkKind.ADDED_WORD) == {"theory", "air", "sabotage"}
    added = of_kind(right, found.right_marks, MarkKind.ADDED_NAME, MarkKind.ADDED_WORD)
    assert added == {"claims", "deliberate"}
    assert found.number_conflicts == found.opposed == ()


@pytest.mark.parametrize(
    ("left", "right", "numbers", "opposed"),
    [
        ("Quake kills 12 in Italy", "Quake in Italy: 14 dead", [("12", "14")], []),
        ("Shares rise 3%", "Shares fall 2%", [("3%", "2%")], [("rise", "fall")]),
        ("Fed raises rates", "Fed cuts rates", [], [("raises", "cuts")]),
        ("Leak was deliberate", "Leak was not deliberate", [], [("", "not")]),
        (
            "Курс доллара вырос до 40 рублей",
            "Доллар упал до 38 рублей",
            [("40 рублей", "38 рублей")],
            [("вырос", "упал")],
        ),
        ("Crew arrives at station", "Part of crew and station safe", [], []),
        ("Dozens dead in quake", "14 dead in quake", [], []),
    ],
)
def test_contradictions(left, right, numbers, opposed):
    found = compare(left, right)
    assert found.number_conflicts == tuple(Clash(a, b) for a, b in numbers)
    assert found.opposed == tuple(Clash(a, b) for a, b in opposed)


def test_equal_headlines_share_everything():
    found = compare("NASA delays launch by 3 days", "Nasa delays launch by three days")
    assert found.overlap == 1.0
    kinds = {one.kind for one in (*found.left_marks, *found.right_marks)}
    assert kinds.isdisjoint({MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER})
    assert found.shared_numbers == ("3",)


def test_marks_say_why():
    found = compare("Quake kills 12", "Quake: 14 dead")
    assert mark("Quake kills 12", found.left_marks) == [
        ("Quake", MarkKind.SHARED_WORD),
        (" ", None),
        ("kills", MarkKind.ADDED_WORD),
        (" ", None),
        ("12", MarkKind.CONFLICTING_NUMBER),
    ]
