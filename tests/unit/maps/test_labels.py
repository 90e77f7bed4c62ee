"""Names on the map, the palette, and getting ready in the background."""

from __future__ import annotations

import numpy as np
import pytest

from core.maps.labels import apart, labels_for_map, medoid, side
from core.palette import DARK, LIGHT, NEUTRAL_DARK, NEUTRAL_LIGHT, group_colour


def test_the_biggest_groups_are_named_at_their_medoid() -> None:
    places = np.array([[0, 0], [1, 0], [2, 0], [50, 50], [51, 50], [52, 50], [90, 9]], dtype=np.float32)
    groups = np.array([4, 4, 4, 2, 2, 2, 1])
    labels = labels_for_map(places, groups, texts={4: "  Fire\nin  town "}, smallest=2)
    assert [(label.group, label.row, label.text) for label in labels] == [
        (2, 4, "Group 2"),
        (4, 1, "Fire in town"),
    ]
    assert (labels[0].x, labels[0].y, labels[0].size) == (51.0, 50.0, 3)


def test_a_name_that_would_cover_a_bigger_groups_is_left_out() -> None:
    places = np.array([[0, 0]] * 4 + [[1, 0]] * 3 + [[100, 100]] * 3, dtype=np.float32)
    groups = np.array([0] * 4 + [1] * 3 + [2] * 3)
    assert [label.group for label in labels_for_map(places, groups)] == [0, 2]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_small_and_flat_maps_are_no_problem(n: int) -> None:
    labels = labels_for_map(np.zeros((n, 2), dtype=np.float32), np.zeros(n, dtype=np.int64))
    assert len(labels) == (n == 3)
    assert labels_for_map(np.zeros((n, 2), dtype=np.float32), np.full(n, -1)) == ()


def test_the_medoid_of_a_huge_group_is_near_its_middle() -> None:
    places = np.random.default_rng(0).normal(size=(4000, 2)).astype(np.float32)
    assert np.abs(places[medoid(places, np.arange(4000))]).max() < 0.2


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_stands_out_from_its_background() -> None:
    for colours, paper in (((*LIGHT, NEUTRAL_LIGHT), "#fbfaf7"), ((*DARK, NEUTRAL_DARK), "#14161a")):
        for colour in colours:
            low, high = sorted((luminance(colour), luminance(paper)))
            assert (high + 0.05) / (low + 0.05) >= 3, colour


def test_a_group_keeps_its_colour_and_a_lone_headline_is_grey() -> None:
    assert group_colour(3, dark=False) == LIGHT[3] == group_colour(15, dark=False)
    assert group_colour(3, dark=True) == DARK[3]
    assert group_colour(-1, dark=False) == NEUTRAL_LIGHT
    assert len({*LIGHT, *DARK, NEUTRAL_LIGHT, NEUTRAL_DARK}) == 26


def test_a_smaller_picture_keeps_the_names_that_fit() -> None:
    places = np.array([[0, 0]] * 4 + [[30, 1]] * 3 + [[100, 100]] * 3, dtype=np.float32)
    labels = labels_for_map(places, np.array([0] * 4 + [1] * 3 + [2] * 3))
    assert [label.group for label in labels] == [0, 1, 2]
    assert [label.group for label in apart(labels, places, plot=(150, 300))] == [0, 2]
    assert apart((), places, plot=(150, 300)) == ()


def test_a_name_near_an_edge_stands_inside() -> None:
    assert [side(share) for share in (0.0, 0.5, 1.0)] == ["left", "center", "right"]
