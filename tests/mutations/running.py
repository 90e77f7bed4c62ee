"""Puts faults into a copy of the project and runs the tests that must find them."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

from core.files import ROOT

COPIED = ("core", "research", "cli", "tests", "components", "pages", "benchmarks")
FAILED = 1
"""What pytest ends with where tests ran and some failed; an import that breaks ends otherwise."""
SAID = "said.txt"
RUNNER = f"""
import os, sys
import hypothesis, numpy, pandas, pytest, scipy.stats, sklearn.cluster, torch
for line in sys.stdin:
    child = os.fork()
    if not child:
        file = os.open("{SAID}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *line.split()])
        sys.stdout.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Imports what is slow and no part of the project, and runs each line of tests in a process of its own."""


class Copy:
    """The project in a folder of its own: code is copied, data and models are linked."""

    def __init__(self, folder):
        self.tree = folder / "headline-lab"
        self.tree.mkdir()
        for one in ROOT.iterdir():
            if one.name in COPIED:
                shutil.copytree(one, self.tree / one.name)
            elif one.is_file():
                shutil.copy(one, self.tree / one.name)
            elif not one.name.startswith("."):
                (self.tree / one.name).symlink_to(one, target_is_directory=True)
        self.runner = subprocess.Popen(
            [sys.executable, "-c", RUNNER],
            cwd=self.tree,
            env={**os.environ, "PYTHONPATH": str(self.tree), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def outcome(self, *tests):
        """How pytest ended on some tests, and what it said."""
        self.runner.stdin.write(" ".join(tests) + "\n")
        self.runner.stdin.flush()
        code = int(self.runner.stdout.readline())
        return code, (self.tree / SAID).read_text(encoding="utf-8", errors="replace")[-4000:]

    def finds(self, mutant):
        """Whether its test fails with the fault in, which goes again, and what was said."""
        file = self.tree / mutant.file
        before = file.read_text(encoding="utf-8")
        if before.count(mutant.old) != 1:
            raise ValueError(
                f"{mutant.file} holds {mutant.old!r} {before.count(mutant.old)} times, not once."
            )
        file.write_text(before.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            code, said = self.outcome(mutant.test)
        finally:
            file.write_text(before, encoding="utf-8")
        return code == FAILED, said


@contextmanager
def scratch_copy(folder):
    copy = Copy(folder)
    try:
        yield copy
    finally:
        copy.runner.stdin.close()
        copy.runner.wait(timeout=60)
