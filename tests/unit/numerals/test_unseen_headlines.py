"""Headlines over invented articles, half of them or more false as writers err: what gets a green light.

They were written by a language model in the part of an editor, a reporter or a teacher of journalism, which
knew nothing of the program. No weight and no limit was chosen on them; rules had been looked at with the
reporter's, and the difference of two large amounts keeps a number from being wrong since the teacher's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from core.numerals.checking import Checker, load_checker
from core.numerals.claims.verdict import Light
from core.runtime import Runtime

FOLDER: Final = Path(__file__).parents[2] / "data" / "claims" / "unseen"


@dataclass(frozen=True)
class Lights:
    """How many of the false and of the true headlines have a light."""

    false_green: int
    true_green: int
    true_red: int


HELD: Final = {"editor": Lights(1, 16, 5), "reporter": Lights(8, 9, 1), "teacher": Lights(2, 5, 3)}
WITHOUT_SECOND_READING: Final = {"editor": Lights(13, 24, 7), "reporter": Lights(16, 17, 1)}


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker(None, Runtime(half=False))


def lights(name: str, checker: Checker) -> Lights:
    false_green = true_green = true_red = 0
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        headlines = [*row["true"], *row["false"]]
        found = checker.check(headlines, [row["article"]] * len(headlines), Runtime())
        # What has no number has no light.
        said = [one.light if one.numerals else None for one in found]
        true, false = said[: len(row["true"])], said[len(row["true"]) :]
        false_green += false.count(Light.SUPPORTED)
        true_green += true.count(Light.SUPPORTED)
        true_red += true.count(Light.WRONG)
    return Lights(false_green, true_green, true_red)


@pytest.mark.slow
@pytest.mark.parametrize("name", HELD)
def test_no_light_is_worse_than_what_was_counted(name: str, checker: Checker) -> None:
    found, held = lights(name, checker), HELD[name]
    assert found.false_green <= held.false_green
    assert found.true_green >= held.true_green
    assert found.true_red <= held.true_red


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_SECOND_READING)
def test_the_second_reading_is_what_the_guide_says_it_is(name: str, checker: Checker) -> None:
    assert lights(name, replace(checker, rereader=None)) == WITHOUT_SECOND_READING[name]
