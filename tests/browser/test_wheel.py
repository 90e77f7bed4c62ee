"""The file that people install: built, put into an empty environment, started away from the checkout."""

import re
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from core.files import ROOT
from tests.browser.steps import opened, ready
from tests.programs import finished

pytestmark = pytest.mark.browser

OWN = ROOT / "docs/pictures/facts.csv"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    build = [sys.executable, "-m", "pip", "-q", "wheel", str(ROOT), "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", str(tmp_path)], check=True)
    (file,) = tmp_path.glob("headline_lab-*.whl")
    return file


@pytest.fixture
def environment(wheel, tmp_path, monkeypatch, asked):
    """An environment that has the wheel, of this one only what other people wrote, and no network."""
    folder = tmp_path / "environment"
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "-q", "--python", str(folder / "bin/python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", str(wheel)], check=True)
    assert {path.name.partition("-")[0] for path in packages.iterdir()} == {"headline_lab", "others.pth"}
    monkeypatch.setenv("PYTHONPATH", str(asked.parent / "guard"))
    return folder


def test_an_installed_wheel_groups_imports_and_opens_the_app(environment, wheel, page, tmp_path, asked):
    holds_what_the_app_needs(wheel)
    names_the_pinned_libraries(environment)
    command = environment / "bin/headline-lab"
    grouped = subprocess.run(
        [command, "group", "sample:iss", "--quiet"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert re.search(r"47 headlines in \d+ groups", grouped.stdout)
    called = "import headline_lab, core; print(core.__file__, len(headline_lab.methods()) > 100)"
    python = [environment / "bin/python", "-c", called]
    imported = subprocess.run(python, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert imported.startswith(str(environment))
    assert imported.endswith("True\n")
    port = free_port()
    start = [command, "app", "--no-browser", "--port", str(port)]
    with running(start, tmp_path, tree=tmp_path, port=port) as (url, _):
        opened(page, url, "Timeline")
        expect(page.locator(".st-key-facts")).to_contain_text("47 headlines · ")
        opened(page, f"{url}/sources", "Sources")
        page.locator('input[type="file"]').first.set_input_files(OWN)
        page.get_by_role("button", name="Load these headlines").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
        ready(page)
        page.get_by_role("tab", name="Facts").click()
        expect(page.get_by_role("table").first).to_contain_text("34 dead")
        opened(page, f"{url}/models", "Models")
    # Under a guard that no process asked for another computer.
    assert set(asked.read_text(encoding="utf-8").split()) == {"guarded"}


def holds_what_the_app_needs(wheel):
    """All of the checkout that the app is made of, models, samples and pictures too, and no more."""
    folder = "headline_lab/app/"
    with zipfile.ZipFile(wheel) as file:
        held = {name.removeprefix(folder) for name in file.namelist() if name.startswith(folder)}
    roots = {name.partition("/")[0] for name in held}
    listed = finished("git", "ls-files", "--cached", "--others", "--exclude-standard", *roots).stdout.split()
    if listed:  # this copy is a checkout
        assert {name for name in listed if not name.startswith("benchmarks/") or "/results/" in name} == held
    assert {"app.py", "models", "samples", ".streamlit"} <= roots


def names_the_pinned_libraries(environment):
    (metadata,) = environment.glob("lib/python*/site-packages/headline_lab-*.dist-info/METADATA")
    said = metadata.read_text()
    needed = re.findall(r"^Requires-Dist: (\S+?==[^;\s]+)(?:;(?!.*extra)|$)", said, re.MULTILINE)
    assert set(needed) == pinned_in("app")
    extra = re.findall(r'^Requires-Dist: (\S+?==[^;\s]+);.*extra == "research"$', said, re.MULTILINE)
    assert set(extra) == pinned_in("research")


def pinned_in(name):
    pinned = (ROOT / f"requirements/{name}.in").read_text()
    return set(re.findall(r"^([^#\s]\S*==[^;\s]+)", pinned, re.MULTILINE))
