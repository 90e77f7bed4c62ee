"""The file that people install: built, put into an empty environment, started away from the checkout."""

import ast
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import BytesParser

import pytest
from filelock import FileLock
from packaging.requirements import Requirement
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from core import __version__
from core.catalogue import methods
from core.files import ROOT
from core.models.cards import Package, cards
from research.judging.separate_process import can_isolate
from tests.browser.steps import opened, ready
from tests.docs.following import commands, followed
from tests.docs.following import page as guide
from tests.programs import finished

pytestmark = pytest.mark.browser

OWN = ROOT / "docs/pictures/facts.csv"
TOP = ("cli", "components", "core", "pages", "research")
"""Names that a checkout has at its top and that are other people's elsewhere."""
APART = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def built(tree, folder, **environment):
    build = [sys.executable, "-m", "pip", "-q", "wheel", str(tree), "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", str(folder)], check=True, env=APART | environment)
    (file,) = folder.glob("headline_lab-*.whl")
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    # Several workers may run tests of this file, and one folder is built in.
    with FileLock(tmp_path_factory.getbasetemp().parent / "wheel.lock"):
        return built(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment that has the wheel, and of this one only what other people wrote."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "-q", "--python", str(folder / "bin/python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", str(wheel)], check=True, env=APART)
    assert {path.name.partition("-")[0] for path in packages.iterdir()} == {"headline_lab", "others.pth"}
    return folder


@pytest.fixture
def project(tmp_path):
    """A folder with packages of somebody else's that are called like those of a checkout."""
    for name in TOP:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "mine.py").write_text("")
    return tmp_path


@pytest.fixture
def ran(environment):
    """Runs the wheel's Python elsewhere, and gives what it printed."""

    def run(*words, cwd, **more):
        command = [environment / "bin/python", *words]
        done = subprocess.run(command, cwd=cwd, env=APART | more, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_an_installed_wheel_groups_and_opens_the_app(environment, page, tmp_path, asked):
    command = environment / "bin/headline-lab"
    grouped = subprocess.run(
        [command, "group", "sample:iss", "--quiet"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert re.search(r"47 headlines in \d+ groups", grouped.stdout)
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


def test_nothing_of_the_wheel_has_a_name_that_may_be_somebody_elses(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        code = {name: file.read(name) for name in names if name.endswith(".py")}
        top = [file.read(name).decode() for name in names if name.endswith("/top_level.txt")]
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"headline_lab"}
    assert top == ["headline_lab\n"]
    wrong = [(name, said) for name, text in code.items() for said in imported(text) if said in TOP]
    assert wrong == []
    assert len(code) > 500


def imported(code):
    """The first words of what a module imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


LIVE = "headline_lab.group_headlines('sample:iss').group.max() > 3"
THEIRS = [f"import {name}.mine" for name in TOP]


@pytest.mark.parametrize("order", ["before", "after", "between"])
def test_a_project_keeps_its_own_core_and_pages(order, project, ran):
    ours = ["import headline_lab", f"assert {LIVE}"]
    lines = {"before": [*THEIRS, *ours], "after": [*ours, *THEIRS], "between": [ours[0], *THEIRS, ours[1]]}
    tell = [f"print({name}.__file__)" for name in TOP]
    listed = ran("-c", "; ".join(["import sys", *lines[order], *tell]), cwd=project).split()
    assert listed == [str(project / name / "__init__.py") for name in TOP]


def test_the_wheel_has_every_method_and_its_door_opens_by_itself(project, ran):
    ask = "from headline_lab import methods; print(*methods().signature, sep='\\n')"
    listed = ran("-c", "; ".join([*THEIRS, ask]), cwd=project)
    assert listed.splitlines() == [method.signature for method in methods()]
    first = (
        "from importlib.metadata import entry_points; (door,) = entry_points(group='headline_lab.methods')"
    )
    assert (
        ran("-c", f"{first}; print(door.load().__name__)", cwd=project)
        == "headline_lab.research.generators\n"
    )


def test_processes_of_a_wheel_in_any_folder_find_it(wheel, project, ran, tmp_path):
    """Also where only the program that starts them was told of the folder."""
    folder = tmp_path / "target"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    code = f"""
import sys
sys.path.insert(0, {str(folder)!r})
import core.mine, tempfile, headline_lab
assert headline_lab.__file__.startswith({str(folder)!r})
from headline_lab.core.processes import start_command, start_workers
from headline_lab.research.judging.separate_process import can_isolate
with tempfile.TemporaryFile() as log:
    assert start_command(["group", "sample:iss", "--quiet"], log).wait() == 0
    log.seek(0)
    assert b"47 headlines" in log.read()
with start_workers(1) as workers:
    assert workers.submit(headline_lab.core.runtime.detect_device).result()
print(can_isolate())
"""
    assert ran("-c", code, cwd=project) == f"{can_isolate()}\n"


def test_plugins_and_missing_extras_are_those_of_a_checkout(environment, ran, project):
    (project / "plugins/pages").mkdir(parents=True)
    followed(guide("plugins.md"), project)
    (words,) = [line for line in commands(guide("plugins.md")) if line[1:2] == ["group"]]
    plugins = {"HEADLINE_LAB_PLUGINS": str(project / "plugins")}
    assert "first_words.v1" in ran(environment / "bin/headline-lab", *words[1:], cwd=project, **plugins)
    absent = "import sys; sys.modules['catboost'] = None; from headline_lab import _command; _command()"
    done = subprocess.run(
        [environment / "bin/python", "-c", absent, "benchmark", "groups"], cwd=project, env=APART,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "pip install 'headline-lab[research]'" in done.stderr


def test_an_installed_wheel_has_the_map_of_a_notebook(ran, tmp_path):
    pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
    code = """
from headline_lab.bench import map_widget
shown = map_widget(["Storm hits coast", "Bank cuts rates"], scorer="levenshtein")
print("class PointMap" in shown._esm, "export default" in shown._esm)
"""
    assert ran("-c", code, cwd=tmp_path) == "True True\n"


def test_the_wheel_holds_what_the_app_needs(wheel):
    """All of the checkout that the app is made of, models, samples and pictures too, and no more."""
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if name.startswith("headline_lab/")}
    held = {re.sub(r"^headline_lab/(app/)?(?!__init__|bench\.|event_map\.)", "", name) for name in names}
    roots = {name.partition("/")[0] for name in held}
    listed = finished("git", "ls-files", "--cached", "--others", "--exclude-standard", *roots).stdout.split()
    if listed:  # this copy is a checkout
        assert {name for name in listed if not name.startswith("benchmarks/") or "/results/" in name} == held
    assert {"app.py", "models", "samples", ".streamlit"} <= roots


def test_the_wheel_asks_for_ranges_as_a_library_and_for_the_pinned_libraries_as_the_app(wheel):
    with zipfile.ZipFile(wheel) as file:
        (name,) = (name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        needed = [
            Requirement(one) for one in BytesParser().parsebytes(file.read(name)).get_all("Requires-Dist")
        ]
    own = {one.name: one.specifier for one in needed if "extra" not in str(one.marker)}
    pinned = dict(pin.split("==") for pin in pinned_in("app"))
    assert own.keys() == pinned.keys()
    assert all(version in own[name] for name, version in pinned.items())
    exact = {name for name, allowed in own.items() if "==" in str(allowed)}
    weights = {
        card.source.distribution.partition("==")[0] for card in cards() if isinstance(card.source, Package)
    }
    assert exact == weights & own.keys()
    assert ("3.99" in own["pandas"], "4.0" in own["pandas"], "0.69" in own["numba"]) == (True, False, False)
    for extra in ("app", "research", "oidc"):
        asked = (one for one in needed if f'extra == "{extra}"' in str(one.marker))
        said = {re.sub(r"\[.+\]", "", str(one).partition(";")[0].strip()) for one in asked}
        assert said == pinned_in(extra)


def test_a_release_is_the_same_to_the_byte_wherever_it_is_built(tmp_path):
    digests = []
    for place, umask in (("one", "022"), ("another/folder", "077")):
        tree = tmp_path / place
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", tree], check=True)
        make = f"umask {umask}; make -s image ENGINE=echo BIN={sys.prefix}/bin"
        refused = subprocess.run(
            ["sh", "-c", make], cwd=tree, env=APART, capture_output=True, text=True, check=False
        )
        assert refused.returncode
        assert f"There is no tag v{__version__}" in refused.stdout
        subprocess.run(["git", "tag", f"v{__version__}"], cwd=tree, check=True)
        (tree / "core/limits.toml").write_text("not of the tag")
        made = subprocess.run(
            ["sh", "-c", make], cwd=tree, env=APART, check=True, capture_output=True, text=True
        )
        assert f"-t headline-lab:{__version__} build/release" in made.stdout
        (file,) = (tree / "dist").glob("*.whl")
        digests.append(hashlib.sha256(file.read_bytes()).hexdigest())
        assert (tree / f"dist/{file.name}.sha256").read_text() == f"{digests[-1]}  {file.name}\n"
        assert file.name.startswith(f"headline_lab-{__version__}-")
    assert digests[0] == digests[1]


def pinned_in(name):
    pinned = (ROOT / f"requirements/{name}.in").read_text()
    return set(re.findall(r"^([^#\s]\S*==[^;\s]+)", re.sub(r"\[.+\]", "", pinned), re.MULTILINE))
