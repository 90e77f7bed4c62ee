"""docs/add_a_generator.md does what it says, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
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

PAGE = page("add_a_generator.md")
FILE = "core/headlines/generators/shortest_sentence.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("generator") / "tree")
    files = followed(PAGE, copy)
    assert [file.relative_to(copy).as_posix() for file in files] == [FILE, "articles.csv"]
    return copy


@pytest.mark.parametrize("words", own_commands(PAGE), ids=" ".join)
def test_every_command_runs(tree: Path, words: list[str]) -> None:
    told = typed(tree, words)
    if words[1] == "methods":
        assert "shortest_sentence.v1|most_words:0|looked_at:5\n" in told
    if words[1] == "write":
        written = pd.read_csv(tree / "written.csv").to_string()
        assert "It cost 4 million euros." in PAGE
        assert "It cost 4 million euros." in written


def test_the_contract_holds(tree: Path) -> None:
    told = contract(tree, PAGE, "shortest_sentence")
    assert "shortest_sentence.v1" in told
    assert "test_what_is_written[shortest_sentence.v1-True" in told
    assert "FAILED" not in told


def test_the_file_is_tidy(tree: Path) -> None:
    assert commands(PAGE)[-1] == ["make", "check"]
    tidied(tree, FILE)


@pytest.mark.parametrize(
    ("name", "there"), [("library", "shortest_sentence.v1"), ("write", "Shortest sentence")]
)
def test_it_is_on_the_pages(tree: Path, name: str, there: str) -> None:
    assert there in opened(tree, name)
