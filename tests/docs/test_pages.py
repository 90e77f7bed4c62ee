"""The pages of docs/ name what is there: links, packages, layers, decisions."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.pages import PAGES, ROOT, name

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
DECISIONS = sorted((ROOT / "docs/decisions").glob("*.md"))
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


@cache
def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def test_pages_that_the_code_names_exist() -> None:
    for folder in ("core", "research", "cli", "components", "pages"):
        for module in (ROOT / folder).rglob("*.py"):
            for page in re.findall(r"docs/[\w/.-]+\.md", module.read_text(encoding="utf-8")):
                assert (ROOT / page).exists(), f"{name(module)} names {page}"


def test_every_package_is_described() -> None:
    cells = re.findall(r"^\| (`.+?`) \| .+ \|$", ARCHITECTURE, re.MULTILINE)
    named = {path for cell in cells for path in re.findall(r"`([\w/.]+)`", cell)}
    for module in sorted((ROOT / "core").iterdir()):
        if (module / "__init__.py").exists() or (module.suffix == ".py" and module.name != "__init__.py"):
            assert f"core/{module.name}" in named
    for path in named:
        assert (ROOT / path).exists(), path
    for folder in (ROOT / "tests").iterdir():
        assert folder.is_file() or folder.name == "__pycache__" or f"`{folder.name}`" in ARCHITECTURE


def test_the_layers_are_those_that_import_linter_holds() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    held = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawn = ARCHITECTURE.partition("flowchart TD")[2].partition("```")[0]
    nodes = dict(re.findall(r"(\w+)\[\"([^\"]+)\"\]", drawn))
    chain = re.findall(r"^ +(\w+)(?:\[[^\]]*\])? --> (\w+)", drawn, re.MULTILINE)
    order = [chain[0][0], *(below for _, below in chain)]
    assert [nodes.get(node, node) for node in order] == held


@pytest.mark.parametrize("page", DECISIONS, ids=name)
def test_decisions_are_numbered_and_dated(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    number = int(page.name[:4])
    assert lines[0].startswith(f"# {number}. ")
    assert re.fullmatch(r"Date: \d{4}-\d{2}-\d{2}", lines[2])


def test_decisions_are_counted_without_gaps() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_the_licence_is_the_one_that_is_declared() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert settings["project"]["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text


def test_the_changelog_has_the_version() -> None:
    from core import __version__

    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_nothing_is_tracked_that_a_link_cannot_reach() -> None:
    """Linked files are in the repository, not only in this folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this copy is not a git checkout")
    known = set(listed.stdout.splitlines())
    for page in PAGES:
        for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            path = unquote(link).partition("#")[0]
            target = (page.parent / path).resolve() if path else page
            if not re.match(r"[a-z]+:", link) and target.is_file():
                assert name(target) in known, link
