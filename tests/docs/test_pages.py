"""The pages of docs/ name what is there: links, packages, layers, decisions, tests of promises."""

import re
import tomllib
from functools import cache
from urllib.parse import unquote

import pytest

from tests.docs.pages import PAGES, ROOT, name
from tests.programs import finished

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
INTERNALS = (ROOT / "docs/internals.md").read_text(encoding="utf-8")


@cache
def anchors(page):
    """What the headings of a page are called in links, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@cache
def tracked():
    """Files of the repository; none where this copy is not a checkout."""
    listed = finished("git", "ls-files", "--cached", "--others", "--exclude-standard")
    return set(listed.stdout.splitlines())


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_relative_links_lead_to_files_of_the_repository(page):
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_dir() or not tracked() or name(target) in tracked(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def test_every_picture_is_shown_by_a_page():
    pictures = {file.name for kind in ("png", "jpg") for file in (ROOT / "docs/pictures").glob(f"*.{kind}")}
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {picture for picture in pictures if f"pictures/{picture})" not in texts} == set()


def test_pages_that_the_code_names_exist():
    for folder in ("core", "research", "cli", "components", "pages"):
        for module in (ROOT / folder).rglob("*.py"):
            for page in re.findall(r"docs/[\w/.-]+\.md", module.read_text(encoding="utf-8")):
                assert (ROOT / page).exists(), f"{name(module)} names {page}"


def test_every_package_is_described():
    cells = re.findall(r"^\| (`.+?`) \| .+ \|$", INTERNALS, re.MULTILINE)
    named = {path for cell in cells for path in re.findall(r"`([\w/.]+)`", cell)}
    for module in sorted((ROOT / "core").iterdir()):
        if (module / "__init__.py").exists() or (module.suffix == ".py" and module.name != "__init__.py"):
            assert f"core/{module.name}" in named
    for path in named:
        assert (ROOT / path).exists(), path
    for folder in (ROOT / "tests").iterdir():
        assert folder.is_file() or folder.name == "__pycache__" or f"`{folder.name}`" in INTERNALS


def test_the_layers_are_those_that_import_linter_holds():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    held = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawn = INTERNALS.partition("flowchart TD")[2].partition("```")[0]
    nodes = dict(re.findall(r"(\w+)\[\"([^\"]+)\"\]", drawn))
    chain = re.findall(r"^ +(\w+)(?:\[[^\]]*\])? --> (\w+)", drawn, re.MULTILINE)
    order = [chain[0][0], *(below for _, below in chain)]
    assert [nodes.get(node, node) for node in order] == held


PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
WORKSHOP = ROOT / "tests/hostile/test_workshop.py"


def test_every_promise_has_its_test():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    rows = re.findall(r"^\| (?!promise|mode|---|`)(.+?) \| (.+) \|$", PAGE, re.MULTILINE)
    assert len(rows) > 10
    for promise, held_by in rows:
        names = re.findall(r"`(test_\w+)`", held_by)
        assert names, promise
        for test in names:
            assert f"def {test}(" in tests, test


def test_every_test_of_a_workshop_holds_a_promise():
    for test in re.findall(r"^def (test_\w+)", WORKSHOP.read_text(encoding="utf-8"), re.MULTILINE):
        assert f"`{test}`" in PAGE, test
