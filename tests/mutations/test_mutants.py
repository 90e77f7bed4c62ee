"""Every fault of the list is found by the test that it names; without a fault these tests pass."""

import pytest

from tests.mutations.mutants import MUTANTS
from tests.mutations.running import ROOT, is_found, outcome, scratch_copy


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return scratch_copy(tmp_path_factory.mktemp("mutants"))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_the_text_that_a_fault_replaces_is_there_once(mutant):
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1
    assert (ROOT / mutant.test.partition("::")[0]).exists()


@pytest.mark.slow
def test_without_a_fault_the_tests_pass(tree):
    code, said = outcome(tree, *dict.fromkeys(one.test for one in MUTANTS))
    assert code == 0, said


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_the_fault_is_found(tree, mutant):
    found, said = is_found(tree, mutant)
    assert found, f"{mutant.test} does not find that {mutant.name}:\n{said}"
