"""Names on the map, the palette, and getting ready in the background."""

from itertools import combinations

import numpy as np
import pytest

from core.maps.labels import bounds, labels_for_map
from core.palette import DARK, LIGHT, NEUTRAL_DARK, NEUTRAL_LIGHT, group_colour


def test_the_biggest_groups_are_named_at_their_medoid():
    places = np.array([[0, 0], [1, 0], [2, 0], [50, 50], [51, 50], [52, 50], [90, 9]], dtype=np.float32)
    groups = np.array([4, 4, 4, 2, 2, 2, 1])
    labels = labels_for_map(places, groups, texts={4: "  Fire\nin  town "}, smallest=2)
    assert [(label.group, label.row, label.text) for label in labels] == [
        (2, 4, "Group 2"),
        (4, 1, "Fire in town"),
    ]
    assert (labels[0].x, labels[0].y, labels[0].size) == (51.0, 50.0, 3)


def boxes_of(labels, places, plot):
    """Left, low, right and top of each name in pixels, a little smaller than they are drawn."""
    (left, right), (low, high) = bounds(places)
    found = []
    for one in labels:
        x = (one.x - left) / (right - left) * plot[0] + one.right
        y = (one.y - low) / (high - low) * plot[1] + one.up
        rows = one.text.split("\n")
        wide, tall = max(map(len, rows)) * 12 * 0.5, len(rows) * 12
        found.append((x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
    return found


def clustered(groups, members, *, width):
    rng = np.random.default_rng(3)
    middles = rng.uniform(0, 100, size=(groups, 2))
    places = np.repeat(middles, members, axis=0) + rng.normal(0, width, size=(groups * members, 2))
    return places.astype(np.float32), np.repeat(np.arange(groups), members)


@pytest.mark.parametrize("plot", [(1030.0, 454.0), (327.0, 454.0)])
@pytest.mark.parametrize(("groups", "members", "width"), [(9, 5, 2.0), (150, 80, 4.0)])
def test_names_cover_neither_one_another_nor_a_crowd_of_points(groups, members, width, plot):
    places, numbers = clustered(groups, members, width=width)
    names = {group: f"A headline that is about story {group} of many" for group in range(groups)}
    labels = labels_for_map(places, numbers, texts=names, most=20, characters=26, lines=2, plot=plot)
    assert len(labels) >= (4 if plot[0] < 400 else min(groups, 12) - 1)
    drawn = boxes_of(labels, places, plot)
    for one, other in combinations(drawn, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    assert all(box[0] >= 0 and box[1] >= 0 and box[2] <= plot[0] and box[3] <= plot[1] for box in drawn)
    (left, right), (low, high) = bounds(places)
    pixels = (places - (left, low)) / (right - left, high - low) * plot
    for box in drawn:
        under = ((pixels >= box[:2]) & (pixels <= box[2:])).all(axis=1).sum()
        share = (box[2] - box[0]) * (box[3] - box[1]) / (plot[0] * plot[1])
        assert under <= max(1, share * len(places))


def test_a_long_name_has_two_lines():
    places, numbers = clustered(1, 3, width=2.0)
    texts = {0: "Space station crew returns after an alarm scare and an evacuation"}
    (label,) = labels_for_map(places, numbers, texts=texts, characters=26, lines=2)
    assert label.text == "Space station crew returns\nafter an alarm scare and…"


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_stands_out_from_its_background():
    for colours, paper in (((*LIGHT, NEUTRAL_LIGHT), "#fbfaf7"), ((*DARK, NEUTRAL_DARK), "#14161a")):
        for colour in colours:
            low, high = sorted((luminance(colour), luminance(paper)))
            assert (high + 0.05) / (low + 0.05) >= 3, colour


def test_a_group_keeps_its_colour_and_a_lone_headline_is_grey():
    assert group_colour(3, dark=False) == LIGHT[3] == group_colour(15, dark=False)
    assert group_colour(3, dark=True) == DARK[3]
    assert group_colour(-1, dark=False) == NEUTRAL_LIGHT
    assert len({*LIGHT, *DARK, NEUTRAL_LIGHT, NEUTRAL_DARK}) == 26
