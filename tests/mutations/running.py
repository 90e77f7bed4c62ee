"""Puts faults into a copy of the project and runs the tests that must find them."""

import os
import shutil
import subprocess
import sys

from core.files import ROOT

COPIED = ("core", "research", "cli", "tests", "components", "pages", "benchmarks")
FAILED = 1
"""What pytest ends with where tests ran and some failed; an import that breaks ends otherwise."""


def scratch_copy(folder):
    """The project in a folder of its own: code is copied, data and models are linked."""
    tree = folder / "headline-lab"
    tree.mkdir()
    for one in ROOT.iterdir():
        if one.name in COPIED:
            shutil.copytree(one, tree / one.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif one.is_file():
            shutil.copy(one, tree / one.name)
        elif not one.name.startswith("."):
            (tree / one.name).symlink_to(one, target_is_directory=True)
    return tree


def put_in(tree, mutant):
    """Puts a fault in; gives the text that was there before."""
    file = tree / mutant.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} holds {mutant.old!r} {text.count(mutant.old)} times, not once.")
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    return text


def outcome(tree, *tests):
    """How pytest ended on some tests of a copy, and what it said."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    return found.returncode, found.stdout[-3000:] + found.stderr[-1000:]


def is_found(tree, mutant):
    """Whether its test fails with the fault in; what was there comes back afterwards."""
    before = put_in(tree, mutant)
    try:
        code, said = outcome(tree, mutant.test)
    finally:
        (tree / mutant.file).write_text(before, encoding="utf-8")
    return code == FAILED, said
