import os
import socket
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from research.judging import separate_process
from research.judging.separate_process import files_of, named_paths, program_paths, system_paths
from tests.docs.pages import ROOT

GOLD = "text,headline\na,Mayor Opens Bridge Of Gold\n"


@pytest.fixture
def hidden(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "gold.csv").write_text(GOLD)
    (folder / "README.md").write_text("common words")
    return folder


@pytest.fixture
def team(tmp_path):
    folder = tmp_path / "team"
    (folder / "deep").mkdir(parents=True)
    (folder / "system.py").write_text("print()")
    (folder / "README.md").write_text("common words")
    return folder


def link(team, hidden):
    os.link(hidden / "gold.csv", team / "deep" / "weights.bin")


def copy(team, hidden):
    (team / "deep" / "weights.bin").write_bytes((hidden / "gold.csv").read_bytes())


def soft_link(team, hidden):
    (team / "deep" / "weights.bin").symlink_to(hidden / "gold.csv")


def repository(team, hidden):
    (team / "deep" / ".git").mkdir()


def worktree(team, hidden):
    (team / ".git").write_text("gitdir: elsewhere")


def listening(team, hidden):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(team / "docker.sock"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (link, "is the same file as"),
        (copy, "is the same file as"),
        (soft_link, "is the same file as"),
        (repository, "a repository holds"),
        (worktree, "a repository holds"),
        (listening, "neither a file nor a folder"),
    ],
)
def test_a_folder_that_shows_references_is_refused(team, hidden, change, says):
    assert named_paths([team], [hidden]) == (team,)
    change(team, hidden)
    with pytest.raises(InputError, match=says):
        named_paths([team], [hidden])


def test_what_is_hidden_holds_it_or_lies_in_it_is_refused(team, hidden, tmp_path):
    for path in (hidden, tmp_path, hidden / "gold.csv", hidden / "README.md"):
        with pytest.raises(InputError, match="holds references"):
            named_paths([path], [hidden])
    other = tmp_path / "other"
    other.symlink_to(hidden)
    with pytest.raises(InputError, match="holds references"):
        named_paths([other], [hidden])
    with pytest.raises(InputError, match="There is no"):
        named_paths([tmp_path / "nothing"], [hidden])


def test_a_folder_that_looks_like_an_installation_is_looked_at(team, hidden):
    (team / "bin").mkdir()
    (team / "pyvenv.cfg").touch()
    program = team / "bin" / "run"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (team / "lib").symlink_to(hidden)
    paths = program_paths([str(program)])
    assert team / "lib" in paths
    with pytest.raises(InputError, match="holds references"):
        named_paths(paths, [hidden])


def test_scripts_bring_their_interpreter_and_the_checkout_stays_out(team):
    script = team / "tool"
    script.write_text(f"#!{sys.executable} -S\n")
    script.chmod(0o755)
    assert program_paths([str(script)]) == (script,)
    assert files_of([str(script), "no-file", str(team), "--option"]) == (script,)
    checkout = Path(__file__).resolve().parents[3]
    shown = [path.resolve() for path in system_paths()]
    for name in ("samples", "core", "research", ".git"):
        assert not any(path in (checkout / name).parents or path == checkout / name for path in shown)


def test_the_guide_names_all_that_is_shown_of_etc_and_of_an_installation():
    page = (ROOT / "docs/judging.md").read_text(encoding="utf-8")
    places = [*separate_process.SYSTEM, *(target for target, _ in separate_process._TEXTS)]
    etc = [place.removeprefix("/etc/") for place in places if place.startswith("/etc/")]
    assert "localtime" in etc
    for name in (*etc, *separate_process._PREFIX):
        assert f"`{name}`" in page, name
