"""The file that people install: built, put into an empty environment, started away from the checkout."""

import re
import subprocess
import sys
import sysconfig
import venv

import pytest
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from core.files import ROOT
from tests.browser.steps import opened

pytestmark = pytest.mark.browser


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An environment that has the wheel, and of this one only what other people wrote."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    pip = [sys.executable, "-m", "pip", "-q"]
    build = [*pip, "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("headline_lab-*.whl")
    folder = tmp_path / "environment"
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run(
        [*pip, "--python", str(folder / "bin/python"), "install", "--no-deps", "--no-compile", str(wheel)],
        check=True,
    )
    assert {path.name.partition("-")[0] for path in packages.iterdir()} == {"headline_lab", "others.pth"}
    return folder


def test_an_installed_wheel_groups_imports_and_opens_the_app(environment, page, tmp_path):
    command = environment / "bin/headline-lab"
    grouped = subprocess.run(
        [command, "group", "sample:iss", "--quiet"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "47 headlines in 11 groups" in grouped.stdout
    called = "import headline_lab, core; print(core.__file__, len(headline_lab.methods()) > 100)"
    python = [environment / "bin/python", "-c", called]
    imported = subprocess.run(python, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert imported.startswith(str(environment))
    assert imported.endswith("True\n")
    (metadata,) = environment.glob("lib/python*/site-packages/headline_lab-*.dist-info/METADATA")
    needed = re.findall(
        r"^Requires-Dist: (\S+?==[^;\s]+)(?:;(?!.*extra)|$)", metadata.read_text(), re.MULTILINE
    )
    pinned = (ROOT / "requirements/app.in").read_text()
    assert set(needed) == set(re.findall(r"^([^#\s]\S*==[^;\s]+)", pinned, re.MULTILINE))
    port = free_port()
    start = [command, "app", "--no-browser", "--port", str(port)]
    with running(start, tmp_path, tree=tmp_path, port=port) as (url, _):
        opened(page, url, "Timeline")
        expect(page.locator(".st-key-facts")).to_contain_text("47 headlines · ")
