"""Accounts without a home, or with one that cannot be written, and what killed programs left."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from core import files, runtime
from core.errors import InputError
from core.files import ROOT
from tests.browser.test_container import GIVEN, unprivileged


@pytest.mark.slow
@pytest.mark.skipif(not unprivileged(), reason="only root with setpriv can try another account")
@pytest.mark.parametrize("cache", ["cache", "shut"])
def test_an_account_whose_home_cannot_be_written_groups_a_long_file(tmp_path, cache):
    """As under systemd's DynamicUser, with the program's own folders read-only."""
    for name, mode in (("cache", 0o700), ("user", 0o700), ("temporary", 0o700), ("shut", 0o500)):
        (tmp_path / name).mkdir(mode=mode)
        os.chown(tmp_path / name, int(GIVEN["USER"]), int(GIVEN["USER"]))
    given = {
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
        "HOME": "/nonexistent",
        "TMPDIR": str(tmp_path / "temporary"),
        "HEADLINE_LAB_USER": str(tmp_path / "user"),
        "HEADLINE_LAB_CACHE": str(tmp_path / cache),
        "HEADLINE_LAB_DENSE_HEADLINES": "3",  # as a file of more than twelve thousand
    }
    words = [f"{name}={value}" for name, value in given.items()]
    command = [sys.executable, "-m", "cli", "group", "sample:iss", "--out", tmp_path / "user" / "out.csv"]
    ran = subprocess.run(
        [*unprivileged(), "env", "-i", *words, *command],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "cannot cache" not in ran.stderr
    assert (tmp_path / "user" / "out.csv").exists()


def test_an_account_without_a_home_is_told_what_to_set(monkeypatch):
    def homeless(*_):
        raise RuntimeError

    for name in ("HEADLINE_LAB_USER", "HEADLINE_LAB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", homeless)
    with pytest.raises(InputError) as refused:
        runtime.user_folder()
    assert "HEADLINE_LAB_USER" in refused.value.hint


def test_a_folder_with_too_long_a_name_is_one_sentence(command, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", f"/{'x' * 5_000}")
    for verb in ("verify", "backup", "du", "export-server"):
        code, out, err = command(verb, *(["x.zip"] if verb == "export-server" else []))
        assert (code, out, "Traceback" in err) == (2, "", False)


def test_folders_of_programs_that_were_killed_are_swept_and_others_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = {
        f"headline-lab-face-{ended.pid}-ab_1": True,
        f"headline-lab-face-{os.getpid()}-ab_2": False,
        f"other-{ended.pid}-ab_3": False,
        "headline-lab-face-ab_4": False,
    }
    for name in names:
        (tmp_path / name / "inside").mkdir(parents=True)
        os.utime(tmp_path / name, (time.time() - 2 * 86_400,) * 2)
    new = tmp_path / f"headline-lab-face-{ended.pid}-new"
    new.mkdir()
    assert files.sweep_temporary() == 1
    assert {name: not (tmp_path / name).exists() for name in names} == names
    assert new.exists()
    assert Path(files.temporary("test").name).name.startswith(f"headline-lab-test-{os.getpid()}-")
