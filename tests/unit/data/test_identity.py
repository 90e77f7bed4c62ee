"""A headline is found again in a file that changed, and no other is taken for it."""

from __future__ import annotations

import pytest

from core.data.identity import HeadlineIndex, HeadlineKey

STORM = HeadlineKey("Storm shuts two airports on the coast", "2024-05-03", "Alpha", "https://a.example/1")


def found(key: HeadlineKey, *here: HeadlineKey, beside: tuple[HeadlineKey, ...] = ()) -> int | None:
    file = HeadlineIndex([key, *beside]).ids
    return HeadlineIndex(here).found([key], [file]).get(key)


@pytest.mark.parametrize(
    "here",
    [
        STORM,
        STORM._replace(text="STORM shuts two airports on the coast!"),
        STORM._replace(text="Storm shut two airports on the coast"),
        STORM._replace(outlet="", address=""),
    ],
)
def test_a_headline_is_known_with_a_typo_repaired_or_a_column_lost(here: HeadlineKey) -> None:
    assert found(STORM, HeadlineKey("Rain", "2024-05-03"), here) == 1
    assert HeadlineIndex([STORM]).found([here]) == {here: 0}


@pytest.mark.parametrize(
    "here",
    [
        STORM._replace(outlet="Beta"),
        STORM._replace(day="2024-05-04"),
        STORM._replace(address="https://a.example/2"),
        STORM._replace(text="Bank raises rates by a quarter point"),
        STORM._replace(text="Storm shuts 2 airports on the coast"),
    ],
)
def test_another_headline_is_not_taken_for_it(here: HeadlineKey) -> None:
    assert found(STORM, here) is None


def test_where_two_could_be_meant_none_is() -> None:
    near = [STORM._replace(text=f"Storm shuts two airports on the coast{end}") for end in ("s", "e")]
    assert found(STORM, *near) is None
    assert found(STORM, near[0]) == 0
    # One that stood beside it in the file is another headline, however alike.
    assert found(STORM, near[0], beside=(near[0],)) is None
    both = HeadlineIndex([STORM, near[0]])
    assert HeadlineIndex([near[1]]).found(both.keys, [both.ids]) == {}


def test_copies_are_told_apart_and_any_order_is_the_same_file() -> None:
    twice = HeadlineIndex([STORM, HeadlineKey("Rain"), STORM])
    assert len(set(twice.ids)) == 3
    assert HeadlineIndex([STORM, STORM, HeadlineKey("Rain")]).fingerprint == twice.fingerprint
    assert HeadlineIndex([STORM]).found(twice.keys) == {STORM: 0}


@pytest.mark.parametrize("body", [3, [], [3], ["a", "b"] * 3, ["x" * 5000], ["a", "", "", "", "1"]])
def test_what_is_no_key_is_refused(body: object) -> None:
    assert HeadlineKey.of(STORM.body()) == STORM
    with pytest.raises(ValueError, match="headline"):
        HeadlineKey.of(body)
