"""What continuous integration says of tests that did not run, and of those that passed at a second run."""

import os
import shutil
import subprocess
import sys

import pytest

from core.files import ROOT

TESTS = """
from pathlib import Path

def test_late():
    Path("seen").write_text("") if (late := not Path("seen").exists()) else None
    assert not late

def test_stopped():
    if Path("stop").exists():
        raise KeyboardInterrupt

def test_after():
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_the_summary_names_second_runs_and_counts_what_did_not_run(tmp_path, workers):
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.tally", "--reruns", "1", f"-n{workers}"]
    command += ["-p", "no:cacheprovider", "--rootdir", "."]

    def run():
        (tmp_path / "seen").unlink(missing_ok=True)
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "HEADLINE_LAB_TESTS_DONE": str(tmp_path / "done"),
        }
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"):
            environment.pop(name, None)
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    code, out = run()
    assert (code, "not run" in out) == (0, False), out
    assert "passed at the second run: test_it.py::test_late" in out
    assert len(set((tmp_path / "done").read_text().splitlines())) == 3
    (tmp_path / "stop").touch()
    code, out = run()
    assert code != 0
    assert "2 tests not run" in out
    assert out.strip().splitlines()[-1].count(" passed") == 1


@pytest.mark.parametrize(
    ("done", "code", "says"), [(3, 0, ""), (3, 2, ""), (1, 124, "2 tests"), (1, 0, "2 tests")]
)
def test_slow_tests_that_did_not_run_are_counted_and_fail(tmp_path, done, code, says):
    for name, lines in {
        "bin/chromium": "",
        "bin/make": f'[ "$1" = test ] && exit 0; seq {done} >> "$HEADLINE_LAB_TESTS_DONE"; exit {code}',
        ".venv/bin/pytest": 'for i in 1 2 3; do echo "test_it.py::test_$i"; done',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/bash\n{lines}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci/run")
    ended = subprocess.run(
        ["bash", ".ci/run"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode != 0) is bool(says or code), ended.stderr
    assert ("not run" in ended.stdout) is bool(says)
    assert says in ended.stdout
