"""A copy of the project with a process beside it that runs its modules, each in a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

from core.files import ROOT

COPIED = (
    *("core", "research", "cli", "components", "headline_lab", "pages", "tests", "benchmarks", "docs"),
    "requirements",
)
OUTPUT = "output.txt"
RUNNER = f"""
import gc, json, os, runpy, sys
import hypothesis.stateful, numpy, pandas, pytest, rapidfuzz, scipy.stats, sklearn.cluster
import sqlalchemy.dialects.sqlite, streamlit.testing.v1, torch
gc.freeze()
for line in sys.stdin:
    module, *words = json.loads(line)
    child = os.fork()
    if not child:
        file = os.open("{OUTPUT}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        code = 1
        try:
            sys.argv = [module, *words]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            if sys.exc_info()[0] not in (None, SystemExit):
                sys.excepthook(*sys.exc_info())
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Imports what is slow and no part of the project once, and runs each module in a fork of itself."""


class Copy:
    """The project in a folder of its own: code and documents are copied, data and models are linked."""

    def __init__(self, folder, **environment):
        self.tree = folder / "headline-lab"
        self.tree.mkdir()
        for one in ROOT.iterdir():
            if one.name in COPIED:
                shutil.copytree(one, self.tree / one.name, ignore=shutil.ignore_patterns("*.png"))
            elif one.is_file():
                shutil.copy(one, self.tree / one.name)
            elif not one.name.startswith(".") or one.name in (".venv", ".streamlit"):
                (self.tree / one.name).symlink_to(one, target_is_directory=True)
        self.runner = subprocess.Popen(
            [sys.executable, "-c", RUNNER],
            cwd=self.tree,
            env={**os.environ, "PYTHONPATH": str(self.tree), **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def outcome(self, module, *words):
        """How a module of the copy ended, and what it said."""
        self.runner.stdin.write(json.dumps([module, *map(str, words)]) + "\n")
        self.runner.stdin.flush()
        code = int(self.runner.stdout.readline())
        return code, (self.tree / OUTPUT).read_text(encoding="utf-8", errors="replace")

    def test(self, *words):
        """How pytest ended in the copy, without what only takes time here, and what it said."""
        spared = ("--assert=plain", "-p", "no:anyio", "-p", "no:cacheprovider")
        return self.outcome("pytest", *spared, *words)

    def with_fault(self, file, text, *words):
        """How pytest ended while a file had another text, and what it said."""
        path = self.tree / file
        before = path.read_bytes()
        path.write_text(text, encoding="utf-8")
        try:
            return self.test(*words)
        finally:
            path.write_bytes(before)


@contextmanager
def copied(folder, **environment):
    copy = Copy(folder, **environment)
    try:
        yield copy
    finally:
        copy.runner.stdin.close()
        copy.runner.wait(timeout=60)
