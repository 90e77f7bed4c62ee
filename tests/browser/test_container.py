"""The image of a newsroom's server (Containerfile), as far as it shows without an engine that builds it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.browser import free_port, running
from core.files import ROOT
from core.journal.opening import VARIABLE
from tests.browser.steps import opened
from tests.postgres import new_schema
from tests.programs import finished

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
LINES = [
    tuple(line.split(None, 1))
    for line in re.sub(r"\\\n\s*|^#.*\n", "", TEXT, flags=re.M).splitlines()
    if line
]
STAGE = LINES[max(place for place, line in enumerate(LINES) if line[0] == "FROM") :]
"""What the image itself is made by; the stage before makes what is copied."""
GIVEN = {word: rest for word, rest in STAGE if word != "COPY"}
VARIABLES = dict(pair.split("=", 1) for pair in shlex.split(GIVEN["ENV"]))
COMMAND = json.loads(GIVEN["CMD"])
HEALTH = json.loads(GIVEN["HEALTHCHECK"].partition("CMD ")[2])


ENGINE = next(
    (
        engine
        for engine in filter(None, map(shutil.which, ("podman", "docker")))
        if subprocess.run([engine, "info"], capture_output=True, check=False).returncode == 0
    ),
    "",
)


def test_what_the_image_is_made_of_is_here():
    known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "LABEL", "USER", "ENV", "VOLUME", "EXPOSE"}
    known |= {"HEALTHCHECK", "CMD"}
    assert {word for word, _ in LINES} <= known
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for needed in (
        "app.py",
        "menu.py",
        "Makefile",
        "README.md",
        "pyproject.toml",
        "requirements",
        "setup.py",
    ):
        assert (ROOT / needed).exists()
        assert needed not in ignored
    made = " ".join(rest for word, rest in LINES if word == "RUN")
    folders = made.partition("compileall -qq ")[2].split(" useradd")[0].split()
    assert folders[:6] == ["cli", "components", "core", "headline_lab", "pages", "research"]
    assert all((ROOT / folder).is_dir() and folder not in ignored for folder in folders[:6])
    assert re.search(r"^install:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    (driver,) = re.findall(r'"(psycopg\S+)"', made)
    assert driver in (ROOT / "requirements/postgres.in").read_text(encoding="utf-8").splitlines()
    assert f'"{driver}"' in (ROOT / "docs/storage.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_both_bases_can_be_pinned_and_no_cuda_comes_unasked(tmp_path):
    given = dict(rest.split("=", 1) for word, rest in LINES if word == "ARG")
    assert [rest.split()[0] for word, rest in LINES if word == "FROM"] == ["${BUILDER}", "${BASE}"]
    assert given["BASE"] == f"{given['BUILDER']}-slim"
    folder, python = f"VENV={tmp_path / 'venv'}", f"PYTHON={sys.executable}"
    for index in (given["CPU_ONLY"], ""):
        said = finished("make", "-s", "install", folder, python, "PIP_INSTALL=true", f"CPU_ONLY={index}")
        assert ("installs what CUDA needs" in said.stdout) == (not index), said
        assert (said.returncode != 0) == (f"found at {index or 'nowhere'}" in said.stderr) == bool(index), (
            said
        )


def test_it_runs_as_nobody_special_and_keeps_everything_in_its_volume():
    assert int(GIVEN["USER"]) > 1000
    assert f"--uid {GIVEN['USER']} " in GIVEN["RUN"]
    volume = Path(GIVEN["VOLUME"])
    folders = {name: Path(value) for name, value in VARIABLES.items() if name != "PATH"}
    assert folders.keys() == {"HOME", "HEADLINE_LAB_USER", "HEADLINE_LAB_CACHE"}
    assert all(folder == volume or volume in folder.parents for folder in folders.values())
    assert GIVEN["WORKDIR"] == str(volume)
    assert f":{GIVEN['EXPOSE']}/_stcore/health" in HEALTH[-1]
    guide = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    assert f"-v headlines:{volume}" in guide
    assert VARIABLE in guide


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.skipif(not ENGINE, reason="neither podman nor docker runs here")
def test_an_engine_builds_the_image_and_starts_it():
    environment = {**os.environ, "BUILDAH_FORMAT": "docker"}  # without it podman keeps no health check
    subprocess.run(
        [ENGINE, "build", "-f", "Containerfile", "-t", "lab-tested", "."],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    run = [ENGINE, "run", "--rm", "lab-tested", "headline-lab"]
    told = json.loads(subprocess.run([*run, "doctor", "--json"], check=True, capture_output=True).stdout)
    assert {row["check"] for row in told if not row["ok"]} == set()
    grouped = subprocess.run([*run, "group", "sample:iss", "--json"], check=True, capture_output=True)
    assert json.loads(grouped.stdout)["headlines"] == 47


def unprivileged():
    """The start of a command that may read everything and write nothing but what is its own."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        return []
    able = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    return ["setpriv", *(f"--re{kind}={GIVEN['USER']}" for kind in ("uid", "gid")), "--clear-groups", *able]


@pytest.mark.browser
def test_its_command_starts_the_app_for_a_user_without_rights_and_with_an_empty_home(
    page, tmp_path, postgres
):
    home = tmp_path / "data"
    home.mkdir()
    if os.getuid() == 0:
        os.chown(home, int(GIVEN["USER"]), int(GIVEN["USER"]))
    given = {name: value.replace(VARIABLES["HOME"], str(home)) for name, value in VARIABLES.items()}
    given |= {"PATH": f"{Path(sys.executable).parent}:{os.defpath}", "PYTHONPATH": str(ROOT)}
    given[VARIABLE] = new_schema(postgres)
    alone = [*unprivileged(), "env", "-i", *(f"{name}={value}" for name, value in given.items())]
    port = free_port()
    command = [*alone, *COMMAND, f"--port={port}"]
    before = set(ROOT.glob("*"))
    with running(command, tmp_path, tree=home, port=port) as (url, _):
        opened(page, url, "Timeline")
        asked = [word.replace(GIVEN["EXPOSE"], str(port)) for word in HEALTH]
        subprocess.run([*alone, *asked], cwd=home, check=True)
        assert "Headline Lab:" in (tmp_path / "server.log").read_text(encoding="utf-8")
    assert subprocess.run([*alone, *asked], cwd=home, check=False, capture_output=True).returncode != 0
    assert set(ROOT.glob("*")) == before
    subprocess.run([*alone, "headline-lab", "backup", home / "friday.jsonl.gz"], cwd=home, check=True)
    assert (home / "friday.jsonl.gz").is_file()
    assert not (home / "user/journal.sqlite").exists()
