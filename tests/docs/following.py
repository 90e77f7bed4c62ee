"""Following a page of docs/ to the letter in a copy of the project: its files, its commands."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from core.files import ROOT

SAVE = re.compile(
    r"^Save (?:this|these)[^\n]*? as `([^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
LINE = re.compile(r"^(?:.* under \*(.+?)\*)?.*\n\n```markdown\n([|-] .*)\n```$", re.MULTILINE)
"""A line for a list, with the heading of the table that it goes into."""
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """The text of a page."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def copied(target: Path) -> Path:
    """A copy of the project without what was made in it; the environment is shared."""
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "pictures", "*.egg-info"
    )
    shutil.copytree(ROOT, target, ignore=left_out)
    (target / ".venv").symlink_to(ROOT / ".venv")
    return target


def followed(text: str, tree: Path, *, listed_in: str = "docs/methods.md") -> list[Path]:
    """Saves every file of a page where it says, and adds its line to a list; the files."""
    files = [tree / path for path, _ in SAVE.findall(text)]
    for file, (_, content) in zip(files, SAVE.findall(text), strict=True):
        assert not file.exists(), file
        file.write_text(content, encoding="utf-8")
    for heading, line in LINE.findall(text):
        table = (tree / listed_in).read_text(encoding="utf-8").rstrip("\n")
        start = table.index(f"## {heading}\n") if heading else len(table)
        end = table.find("\n\n## ", start)
        at = len(table) if end < 0 else end
        (tree / listed_in).write_text(f"{table[:at]}\n{line}{table[at:]}\n", encoding="utf-8")
    return files


def commands(text: str) -> list[list[str]]:
    """The commands that a page has its reader type, in words."""
    return [
        shlex.split(line) for kind, block in FENCED.findall(text) if not kind for line in block.splitlines()
    ]


def run(tree: Path, *words: str) -> str:
    """What a module printed in the copy, where it has to succeed; the copy's own packages are what runs."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def typed(tree: Path, words: list[str]) -> str:
    """What a command of a page printed."""
    program, *rest = words
    module = {"headline-lab": "cli", "pytest": "pytest"}[program]
    return run(tree, module, *rest, *(["-p", "no:cacheprovider"] if module == "pytest" else []))


def own_commands(text: str) -> list[list[str]]:
    """Those of a page's commands that are ours."""
    return [words for words in commands(text) if words[0] == "headline-lab"]


def contract(tree: Path, text: str, name: str) -> str:
    """What the contract tests of a page told of a method; those of the others are run where they are."""
    words = next(words for words in commands(text) if words[0] == "pytest")
    return typed(tree, [*words, "-v", "-k", f"{name} or documented or left_out"])


LISTS = (
    "tests/contract/test_every_file.py",
    "tests/contract/test_row_names.py",
    "tests/docs/test_methods.py",
    "tests/docs/test_names.py",
    "tests/hostile/test_links.py::test_every_value_that_a_page_reads_is_forged_here",
    "tests/unit/data/pair_sets/test_sources.py::test_shelf_lists_shipped_sets_first",
    "tests/unit/data/timelines/test_readers.py::test_every_format_is_listed_once",
    "tests/unit/headlines/metrics/test_directions.py",
    "tests/unit/pairs/test_pair_benchmark_rows.py",
)
"""Tests of what is registered or named as a whole, which everything that is added meets in `make unit`."""


def lists(tree: Path, *more: str) -> None:
    """Runs them in the copy, where all of them have to pass."""
    run(tree, "pytest", "-q", "-p", "no:cacheprovider", *LISTS, *more)


def tidied(tree: Path, file: str) -> None:
    """Has a file looked over as `make check` does, where it has to pass."""
    for arguments in (("check",), ("format", "--check")):
        run(tree, "ruff", *arguments, file)


def opened(tree: Path, name: str, *, python: str | Path = sys.executable) -> str:
    """All text of a page of the copy's app, with the choices that it offers."""
    script = (
        "import sys, core\n"
        "from pathlib import Path\n"
        "assert Path(core.__file__).is_relative_to(Path.cwd()), core.__file__\n"
        "from tests.pages.opening import opened\n"
        "app = opened(sys.argv[1])\n"
        "assert not app.exception and not app.error, (app.exception, app.error)\n"
        "for more in [one for one in app.toggle if one.label.startswith('Show all')]:\n"
        "    more.set_value(True).run()\n"
        "print(*[text.value.replace(chr(92), '') for text in app.markdown])\n"
        "print([table.value.to_string() for table in app.table])\n"
        "print([choice.options for choice in [*app.selectbox, *app.multiselect]])\n"
    )
    done = subprocess.run([python, "-c", script, name], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
