"""Faults that would make a figure wrong without a sound, each with the test that must find it.

One in `faults.toml` whose old text is gone fails, too: then the guard moved, and the file has to follow.
"""

from pathlib import Path

import msgspec
import pytest

from benchmarks.mutations import Mutation, draw, measured, mutations
from tests.copies import ROOT, copied

FILE = Path(__file__).with_name("faults.toml")


class Fault(msgspec.Struct):
    """The text `old`, which occurs once in `file`, becomes `new`, and `test` must fail."""

    name: str
    file: str
    old: str
    new: str
    test: str


FAULTS = msgspec.toml.decode(FILE.read_bytes(), type=dict[str, list[Fault]])["fault"]


FAILED = 1
"""What pytest ends with where tests ran and some failed; an import that breaks ends otherwise."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    with copied(tmp_path_factory.mktemp("mutants"), PYTHONDONTWRITEBYTECODE="1") as made:
        yield made


def test_the_text_that_a_fault_replaces_is_there_once():
    for mutant in FAULTS:
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant.name
        file, _, test = mutant.test.partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), mutant.name


def test_without_a_fault_the_copy_passes(copy):
    # The suite itself runs each of these tests without a fault.
    story = "tests/simulation/test_schedules.py::test_a_seed_gives_the_same_story"
    other = next(fault.test for fault in FAULTS if not fault.test.startswith("tests/simulation"))
    code, output = copy.test("-x", story, other)
    assert code == 0, output


@pytest.mark.parametrize("mutant", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_is_found(copy, mutant):
    text = (copy.tree / mutant.file).read_text(encoding="utf-8").replace(mutant.old, mutant.new)
    code, output = copy.with_fault(mutant.file, text, "-x", mutant.test)
    assert code == FAILED, f"{mutant.test} does not find that {mutant.name}:\n{output[-4000:]}"


SMALL = b'''def area(width: int = 3) -> int:
    """Of 2 squares."""
    if width < 0:
        raise ValueError(f"{width - 1}")
    return max(width, 1) * 2
'''


def test_small_faults_are_made_of_code_and_not_of_words_types_and_options():
    assert [(SMALL[one.start : one.end].decode(), one.text) for one in mutations("area.py", SMALL)] == [
        ("width < 0", "((width) <= (0))"),
        ("width < 0", "((width) >= (0))"),
        ("width < 0", "(not (width < 0))"),
        ("0", "(-1)"),
        ("0", "(1)"),
        ('raise ValueError(f"{width - 1}")', "pass"),
        ("max", "min"),
        ("max(width, 1) * 2", "((max(width, 1)) / (2))"),
        ("max(width, 1) * 2", "None"),
        ("1", "(0)"),
        ("1", "(2)"),
        ("2", "(1)"),
        ("2", "(3)"),
    ]
    assert draw("statistics", 1, 5) == draw("statistics", 1, 9)[:5] != draw("statistics", 2, 5)


def test_a_small_fault_is_found_and_what_changes_nothing_or_is_not_reached_survives(copy):
    file = "core/statistics/bootstrap.py"
    source = (ROOT / file).read_bytes()
    places = {source[one.start : one.end].decode(): one for one in mutations(file, source)}
    faults = [places["len(given) - np.arange(len(given))"], places["first / second"]]
    nothing = Mutation(file, "nothing", 0, 0, "", faults[0].lines)
    test = "tests/unit/statistics/test_statistics.py::test_holm_rejects_what_the_step_down_procedure_rejects"
    row, survivors = measured(copy, "statistics", [*faults, nothing], [test])
    assert (row["killed"], row["survived"], row["not_reached"]) == (1, 2, 1)
    assert [text.splitlines()[-1] for text in survivors] == [
        "arithmetic; 0 tests reach it",
        "nothing; 1 tests reach it",
    ]
