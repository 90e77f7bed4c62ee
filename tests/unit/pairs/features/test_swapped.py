"""One sentence in which a fact was exchanged tells another event."""

from __future__ import annotations

import numpy as np
import pytest

from core.pairs.features.families import EXCHANGED, swapped
from core.pairs.scorer import PairList
from core.text.differences import read


@pytest.mark.parametrize(
    ("one", "other", "exchanged"),
    [
        ("Storm Ada shuts Leeds airport for two days", "Storm Ada shuts York airport for two days", True),
        ("Bank raises rates to 3 percent in Norway", "Bank raises rates to 5 percent in Norway", True),
        ("Union agrees to pay offer in Dover", "Union not agrees to pay offer in Dover", True),
        ("Storm Ada shuts Leeds airport", "Leeds airport shut by storm Ada", False),
        ("Ferry brings three tourists to Dover", "Ferry brings seven tourists to Dover", True),
        ("Ferry brings three tourists to Dover", "Ferry brings 3 tourists to Dover", False),
        ("Train arrives in Oslo with tourists", "Train departs in Oslo with tourists", True),
        ("Dover ferry company names Ada as head", "Dover ferry company names Dover as head", True),
    ],
)
def test_the_exchange_of_one_fact_is_seen_in_both_orders(one: str, other: str, exchanged: bool) -> None:
    found = swapped([read(one), read(other)])
    for pair in (([0], [1]), ([1], [0])):
        ((name, values),) = found(PairList(np.array(pair[0]), np.array(pair[1])))
        assert (name, values.tolist()) == (EXCHANGED, [float(exchanged)])
