"""Other programs, run to their end."""

import os
import subprocess
import sys

from core.files import ROOT


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
