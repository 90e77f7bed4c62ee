"""docs/add_a_metric.md does what it says, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.following import (
    commands,
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

PAGE = page("add_a_metric.md")
FILE = "core/headlines/metrics/questions.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("metric") / "tree")
    files = followed(PAGE, copy)
    assert [file.relative_to(copy).as_posix() for file in files] == [FILE, "news.csv", "asking.txt"]
    return copy


@pytest.mark.parametrize("words", own_commands(PAGE), ids=" ".join)
def test_every_command_runs(tree: Path, words: list[str]) -> None:
    printed = typed(tree, words)
    if words[1] == "methods":
        assert "questions.v1\n" in printed
    else:
        assert "Questions  50.00" in printed
        assert "50.00" in PAGE


def test_the_contract_holds(tree: Path) -> None:
    printed = contract(tree, PAGE, "questions")
    assert "questions.v1] PASSED" in printed
    assert "FAILED" not in printed


def test_the_file_is_tidy_and_on_the_library_page(tree: Path) -> None:
    assert commands(PAGE)[-1] == ["make", "check"]
    tidied(tree, FILE)
    assert "questions.v1" in opened(tree, "library")
