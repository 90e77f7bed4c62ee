"""docs/add_a_grouping_method.md does what it says, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.following import (
    contract,
    copied,
    followed,
    opened,
    own_commands,
    page,
    tidied,
    typed,
)

pytestmark = pytest.mark.slow

PAGE = page("add_a_grouping_method.md")
FILE = "core/groups/close_links.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("grouping") / "tree")
    assert [file.relative_to(copy).as_posix() for file in followed(PAGE, copy)] == [FILE]
    return copy


def test_every_command_runs(tree: Path) -> None:
    methods, whole, coarse = (typed(tree, words) for words in own_commands(PAGE))
    assert "close_links.v1|share:0.9\n" in methods
    assert "close_links.v1|share:0.9" in whole
    assert "close_links.v1|share:0.8" in coarse


def test_the_contract_holds_and_the_file_is_tidy(tree: Path) -> None:
    told = contract(tree, PAGE, "close_links")
    assert "close_links.v1] PASSED" in told
    assert "SKIPPED" not in told
    tidied(tree, FILE)


def test_it_is_on_the_page(tree: Path) -> None:
    assert "close_links.v1" in opened(tree, "library")
