from itertools import combinations

import numpy as np
import pytest
from sklearn.manifold import trustworthiness

from core.maps import direct_layout
from core.maps.direct_layout import nearest, unit_rows
from core.maps.labels import bounds, labels_for_map
from core.maps.projector import projectors
from core.palette import DARK, LIGHT, NEUTRAL_DARK, NEUTRAL_LIGHT
from core.runtime import Runtime


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


def test_a_line_leads_to_a_name_that_is_away_from_its_point_and_over_no_other():
    places, numbers = clustered(30, 12, width=3.0)
    names = {group: f"A headline that is about story {group} of many" for group in range(30)}
    plot = (620.0, 454.0)
    labels = labels_for_map(places, numbers, texts=names, most=12, characters=26, lines=2, plot=plot)
    drawn = boxes_of(labels, places, plot)
    led = [(label, box) for label, box in zip(labels, drawn, strict=True) if label.leader is not None]
    assert led
    for label, own in led:
        across, up = label.leader
        x, y = (own[0] + own[2]) / 2 - label.right, (own[1] + own[3]) / 2 - label.up
        assert np.hypot(across, up) > 12
        for share in np.linspace(0, 0.9, 10):
            at, over = x + across * share, y + up * share
            assert not any(box[0] < at < box[2] and box[1] < over < box[3] for box in drawn)


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
    for colours, paper in (((*LIGHT, NEUTRAL_LIGHT), "#fdfcf9"), ((*DARK, NEUTRAL_DARK), "#16181b")):
        for colour in colours:
            low, high = sorted((luminance(colour), luminance(paper)))
            assert (high + 0.05) / (low + 0.05) >= 3, colour


@pytest.mark.parametrize(("n", "k"), [(1, 5), (7, 7), (700, 15), (700, 3)])
@pytest.mark.parametrize("cells", [64, 8_000_000])
def test_neighbours_are_those_of_a_full_sort(n, k, cells, monkeypatch):
    monkeypatch.setattr(direct_layout, "BLOCK_CELLS", cells)
    vectors = np.random.default_rng(n).normal(size=(n, 12)).astype(np.float32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distance = 1.0 - unit.astype(np.float64) @ unit.T.astype(np.float64)
    np.fill_diagonal(distance, -1)
    found = nearest(vectors, k, Runtime())
    wanted = np.argsort(distance, axis=1, kind="stable")[:, :k]
    assert found.indices.shape == (n, min(k, n))
    assert np.array_equal(found.indices, wanted)
    assert found.distances[:, 0].tolist() == [0.0] * n
    expected = np.maximum(np.take_along_axis(distance, wanted, axis=1), 0)
    assert found.distances == pytest.approx(expected, abs=1e-6)


def stories(n=400):
    drawn = np.random.default_rng(5)
    centres = drawn.normal(size=(25, 32))
    return unit_rows((centres[np.arange(n) % 25] + 0.6 * drawn.normal(size=(n, 32))).astype(np.float32))


def test_umap_keeps_neighbours_and_the_direct_layout_is_as_true_as_umap_learn():
    vectors = stories()
    scores = {}
    for name in projectors.names():
        places = projectors.get(name)().project(vectors, Runtime())
        scores[name] = trustworthiness(vectors, places, n_neighbors=10, metric="cosine")
    assert scores["umap.v1"] > scores["pca.v1"] + 0.05
    assert scores["umap_direct.v1"] > max(scores["pca.v1"] + 0.05, scores["umap.v1"] - 0.01)
