"""The map of an archive: groups lie beside each other."""

import numpy as np

from core.archive.layout import parted


def test_groups_that_overlap_are_moved_apart_and_others_stay():
    chance = np.random.default_rng(5)
    middles, radii = chance.normal(size=(80, 2)).astype(np.float32), chance.uniform(0.02, 0.2, 80)
    middles[0] = 9, 9
    moved = parted(middles, radii)
    between = np.hypot(*(moved[:, None] - moved).transpose(2, 0, 1)) - radii[:, None] - radii
    np.fill_diagonal(between, 0)
    assert between.min() > -0.01
    assert (moved[0] == middles[0]).all()
