"""Every fault of the list is found by the test that it names; without a fault these tests pass."""

import pytest

from tests.mutations.mutants import MUTANTS
from tests.mutations.running import ROOT, scratch_copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    with scratch_copy(tmp_path_factory.mktemp("mutants")) as made:
        yield made


def test_the_text_that_a_fault_replaces_is_there_once():
    for mutant in MUTANTS:
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant.name
        assert (ROOT / mutant.test.partition("::")[0]).exists(), mutant.name


def test_without_a_fault_the_tests_pass(copy):
    code, said = copy.outcome(*dict.fromkeys(one.test for one in MUTANTS))
    assert code == 0, said


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_the_fault_is_found(copy, mutant):
    found, said = copy.finds(mutant)
    assert found, f"{mutant.test} does not find that {mutant.name}:\n{said}"
