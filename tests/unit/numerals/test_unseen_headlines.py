"""Headlines over invented articles, half of them or more false as writers err: which lights they get.

They were written by a language model in the part of an editor, a reporter or a teacher of journalism, which
knew nothing of the program. No weight and no limit was chosen on them.
"""

from __future__ import annotations

import pytest

from core.data.articles.sets import WrittenClaim
from core.numerals.checking import load_checker
from core.runtime import Runtime
from research.benchmark.claims import OURS, UNSEEN, by_checker, light_worth, run


@pytest.mark.slow
def test_the_lights_are_those_of_the_stored_result() -> None:
    held = light_worth()
    assert held is not None
    shares = {one.kind: one for one in run(Runtime(), sets=(UNSEEN,)) if one.system == OURS}
    true, false = shares["true"], shares["false"]
    assert true.headlines + false.headlines == held.headlines
    assert abs(true.green - held.green_true) <= 2
    assert abs(true.green + false.green - held.green) <= 2
    assert abs(false.red - held.red_false) <= 2
    assert abs(true.red + false.red - held.red) <= 2


def test_a_headline_without_a_number_has_no_light_of_its_own() -> None:
    judge = by_checker(load_checker(None, Runtime()), Runtime())
    assert judge([WrittenClaim("Ferry strikes pier", -1, -1, "A ferry struck a pier.", True, "")]) == [
        "found"
    ]
