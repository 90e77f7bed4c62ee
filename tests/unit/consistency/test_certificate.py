import numpy as np
import pytest

from core.consistency.certificate import least_changes
from core.runtime import Runtime


@pytest.mark.parametrize(("leaves", "fewest"), [(3, 2), (4, 3), (5, 4)])
@pytest.mark.parametrize("exact_up_to", [0, 40])
def test_a_star_keeps_one_link(leaves, fewest, exact_up_to):
    links = np.zeros((leaves + 1, leaves + 1), dtype=np.bool_)
    links[0, 1:] = links[1:, 0] = True
    found = least_changes(links, ~np.eye(leaves + 1, dtype=np.bool_), Runtime(), exact_up_to=exact_up_to)
    assert found.known == fewest
    assert found.at_least <= fewest
    # The linear program halves every link of a star; rounding up closes the gap of three leaves alone.
    assert found.at_least == (fewest if exact_up_to or leaves == 3 else -(-leaves // 2))
