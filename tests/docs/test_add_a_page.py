"""docs/add_a_page.md does what it says, followed to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.following import commands, copied, followed, page, run, tidied, typed

pytestmark = pytest.mark.slow

PAGE = page("add_a_page.md")
FILES = ["components/outlets.py", "pages/outlets.py", "tests/pages/test_outlets.py"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("page") / "tree")
    assert [file.relative_to(copy).as_posix() for file in followed(PAGE, copy)] == FILES
    (line,) = re.findall(r"^ +st\.Page\(.*\),\n", PAGE, re.MULTILINE)
    app = (copy / "app.py").read_text(encoding="utf-8")
    anchor = next(one for one in app.splitlines(keepends=True) if "pages/map.py" in one)
    (copy / "app.py").write_text(app.replace(anchor, anchor + line), encoding="utf-8")
    return copy


def test_the_page_passes_its_tests(tree: Path) -> None:
    (words,) = (words for words in commands(PAGE) if words[0] == "pytest")
    told = typed(tree, words)
    assert "3 passed" in told


def test_the_files_are_tidy_and_the_menu_has_the_page(tree: Path) -> None:
    for file in (*FILES, "app.py"):
        tidied(tree, file)
    opening = "app = AppTest.from_file('app.py', default_timeout=120).run(); assert not app.exception"
    assert run(tree, "timeit", "-n1", "-r1", "-s", "from streamlit.testing.v1 import AppTest", opening)
