"""docs/add_an_operator.md does what it says, followed to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.following import FENCED, commands, copied, followed, own_commands, page, tidied, typed

pytestmark = pytest.mark.slow

PAGE = page("add_an_operator.md")
TABLE = "core/numerals/operators.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("operator") / "tree")
    followed(PAGE, copy)
    (row,) = (block for kind, block in FENCED.findall(PAGE) if kind == "python")
    assert "add the line `REMAINDER,` to the end of `OPERATORS`" in PAGE
    above, table = (copy / TABLE).read_text(encoding="utf-8").split("OPERATORS: Final[")
    ended = table.replace("    )\n}\n", "        REMAINDER,\n    )\n}\n", 1)
    assert ended != table
    (copy / TABLE).write_text(f"{above}{row}\nOPERATORS: Final[{ended}", encoding="utf-8")
    return copy


def test_the_search_finds_it(tree: Path) -> None:
    (words,) = own_commands(PAGE)
    (headline,) = json.loads(typed(tree, words))["headlines"]
    (numeral,) = headline["numerals"]
    assert "Remainder( 143 , 60 )" in [one["expression"] for one in numeral["derivations"]]
    assert numeral["support"] < 0.5


def test_its_tests_pass(tree: Path) -> None:
    (words,) = [words for words in commands(PAGE) if words[0] == "pytest"]
    assert "every_row_is_well_formed[Remainder] PASSED" in typed(tree, [*words, "-v"])


def test_the_table_is_tidy(tree: Path) -> None:
    assert commands(PAGE)[-1] == ["make", "check"]
    tidied(tree, TABLE)
