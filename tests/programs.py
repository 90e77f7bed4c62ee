"""Other programs, run to their end."""

import os
import subprocess
import sys

from core.extras import BRINGS, RESEARCH
from core.files import ROOT

WITHOUT_RESEARCH = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BRINGS[RESEARCH]}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""
"""Begins a program that finds neither `research` nor a library of its extra."""


def finished(*command, cwd=ROOT, **environment):
    """What a program printed, as text, and its exit code."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=env, capture_output=True, encoding="utf-8", check=False
    )


def printed(code, *words, python=sys.executable):
    """What Python prints of some code; it has to end well."""
    ran = finished(python, "-c", code, *words)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
