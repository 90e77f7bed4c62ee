"""docs/add_a_package.md: a stranger's package, installed into a fresh environment, brings its scorer."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.docs.following import ROOT, commands, followed, opened, page

pytestmark = pytest.mark.slow

PAGE = page("add_a_package.md")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of a new environment that has what ours has, and the package of the page."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "lengths").mkdir()
    followed(PAGE, folder, listed_in="methods.md")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "new"], check=True)
    python = folder / "new" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    ours = sysconfig.get_path("purelib")
    (site / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n", encoding="utf-8")
    (install,) = [words for words in commands(PAGE) if words[0] == "pip"]
    subprocess.run([python, "-m", *install], cwd=folder, check=True)
    return python


def told(python, *words):
    return subprocess.check_output(
        [python, "-m", "cli", *words], cwd=ROOT, stderr=subprocess.STDOUT, text=True
    )


def test_its_scorer_is_in_the_lists_and_groups_headlines(python):
    for words in [words[1:] for words in commands(PAGE) if words[0] == "headline-lab"]:
        assert "lengths.v1" in told(python, *words)


def test_its_scorer_is_in_the_app(python):
    assert "How alike two lengths are" in opened(ROOT, "library", python=python)


def test_without_it_nothing_is_there():
    assert "lengths.v1" not in told(Path(sys.executable), "methods")


def test_one_that_cannot_be_imported_is_said_and_costs_nothing(python):
    (found,) = python.parents[1].rglob("headline_lengths.py")
    sound = found.read_text(encoding="utf-8")
    found.write_text("import no_such_module_here\n", encoding="utf-8")
    try:
        listed = told(python, "methods")
    finally:
        found.write_text(sound, encoding="utf-8")
    assert "headline_lengths" in listed
    assert "no_such_module_here" in listed
    assert "event_similarity.v1" in listed
