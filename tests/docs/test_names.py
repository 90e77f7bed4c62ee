"""What documents name is there, and what is there is named: methods, pages, files, variables, tasks."""

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS
from cli.main import VERBS
from core import limits
from core.catalogue import methods
from tests.browser.pages import PAGES as LOOKED_AT
from tests.docs.following import SAVE
from tests.docs.pages import PAGES, ROOT, name

DECISIONS = ROOT / "docs/decisions"
GUIDES = [page for page in PAGES if DECISIONS not in page.parents and page.name != "CHANGELOG.md"]
"""Documents of the present; decisions and changes tell what was."""
METHOD = re.compile(r"(?<![\w/.-])([a-z][a-z0-9_]*\.v[1-9][0-9]*)\b")
SAVED = [
    found
    for page in PAGES
    if page.name.startswith(("add_a_", "plugins"))
    for found in SAVE.findall(page.read_text("utf-8"))
]
"""Paths and texts of the files that the guides have their readers save."""
TAUGHT = {"name.v1", "name.v2"} | {name for _, text in SAVED for name in METHOD.findall(text)}
WRITTEN = {Path(path).name for path, _ in SAVED} | {Path(path).stem for path, _ in SAVED}
ROOMS = ("core", "research", "cli", "components", "pages", "tests", "benchmarks", "samples", "models", "docs")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|…|\*")
VARIABLE = re.compile(r"\bHEADLINE_LAB_[A-Z_]+\b")
FOR_PROGRAMS = {"HEADLINE_LAB_JUDGED"}
"""Set by the program for the program alone."""


def read(page):
    return page.read_text(encoding="utf-8")


@cache
def everything(*folders):
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return "\n".join(read(file) for file in files)


def pages_of_the_app():
    """Titles of the pages by the stem of their scripts, as menu.py lists them."""
    return dict(re.findall(r'st\.Page\("pages/(\w+)\.py", title="([^"]+)"', read(ROOT / "menu.py")))


def test_every_method_that_is_named_is_registered():
    known = {method.name for method in methods()} | TAUGHT
    named = {(name(page), method) for page in PAGES for method in METHOD.findall(read(page))}
    assert {(page, method) for page, method in named if method not in known} == set()


def test_every_page_of_the_app_is_in_the_menu_and_the_guide_and_no_other():
    assert set(pages_of_the_app()) == {file.stem for file in (ROOT / "pages").glob("*.py")} - {"__init__"}
    guide = read(ROOT / "docs/user_guide.md")
    assert [title for title in pages_of_the_app().values() if f"| {title} |" not in guide] == []


def test_every_page_that_the_menu_shows_is_looked_at_in_the_browser():
    shown = set(re.findall(r'st\.Page\("pages/(\w+)\.py", title="[^"]+", icon', read(ROOT / "menu.py")))
    opened = {
        one[0][1:].partition("?")[0] or "timeline" for pages in LOOKED_AT.values() for one in pages.values()
    }
    assert len(shown) > 9
    assert shown <= opened


def in_guides(pattern):
    """What a pattern finds in documents of the present: page and match."""
    return {(name(page), match) for page in GUIDES for match in re.findall(pattern, read(page))}


def test_every_page_that_is_named_is_in_the_menu():
    there = {*pages_of_the_app().values(), "Outlets"}  # the page that the guide adds
    named = in_guides(r"\b[Tt]he ((?:[A-Z]\w+(?: [a-z]+)*?(?:, | and )?)+) pages?\b")
    titles = {(page, title) for page, text in named for title in re.split(", | and ", text)}
    assert {(page, title) for page, title in titles if title not in there} == set()
    assert len(titles) > 10


def test_every_file_that_is_named_exists():
    named = in_guides(rf"`((?:{'|'.join(ROOMS)})/[\w./-]*|app\.py|pyproject\.toml|Makefile)`")
    assert {
        (page, path)
        for page, path in named
        if not PLACEHOLDER.search(path) and Path(path).name not in WRITTEN and not (ROOT / path).exists()
    } == set()


def test_every_module_and_function_that_is_named_exists():
    named = in_guides(r"`((?:core|research|cli|components|benchmarks|tests)(?:\.\w+)+)(?:\(\))?`")
    for dotted in {dotted for _, dotted in named}:
        exists(dotted)


def test_the_table_of_subjects_names_what_there_is():
    page = read(ROOT / "docs/internals.md").partition("| subject |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[2:5]] for line in page.splitlines() if "`" in line]
    titles, packages, verbs = ([re.findall(r"`([\w/.-]+)`", row[k]) for row in rows] for k in range(3))
    assert {one for cell in titles for one in cell} <= set(pages_of_the_app())
    assert all((ROOT / package).exists() for (package,) in packages)
    assert sorted({one for cell in verbs for one in cell}) == sorted(VERBS)


def exists(dotted):
    """Fails unless a dotted name is a module or something that a module holds."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        if path.with_suffix(".py").exists() or path.is_dir():
            found: object = importlib.import_module(".".join(parts[:length]))
            for part in parts[length:]:
                found = getattr(found, part)
            return
    pytest.fail(f"there is no {dotted}")


def test_every_variable_that_is_named_is_read_and_the_other_way_round():
    named = {one for page in GUIDES for one in VARIABLE.findall(read(page))}
    of_limits = {one.variable for one in vars(limits).values() if isinstance(one, limits.Limit)}
    used = set(VARIABLE.findall(everything("core", "research", "cli", "components", "pages")))
    tested = set(VARIABLE.findall(everything("tests", "benchmarks")))
    assert named - used - of_limits - tested == set()
    assert used - of_limits - named - FOR_PROGRAMS == set()


def test_every_task_of_make_that_is_named_exists_and_the_other_way_round():
    tasks = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    code = re.compile(r"`make ([a-z-]+(?: [a-z-]+)*)`|^ *make ([a-z-]+)\b", re.MULTILINE)
    named = {task for page in PAGES for found in code.findall(read(page)) for task in " ".join(found).split()}
    assert named - tasks == set()
    assert set(re.findall(r"^([a-z-]+):.* ## ", read(ROOT / "Makefile"), re.MULTILINE)) - named == set()


def test_every_benchmark_that_is_named_exists_and_the_other_way_round():
    asked = re.compile(r"python3? -m benchmarks((?: [a-z_]+)+)")
    named = {word for page in PAGES for found in asked.findall(read(page)) for word in found.split()}
    named.update(re.findall(r"^- `([a-z_]+)`: ", read(ROOT / "docs/benchmarks.md"), re.MULTILINE))
    assert named - set(BENCHMARKS) == set()
    assert set(BENCHMARKS) - named == set()
    modules = {name: module for name, (module, _) in BENCHMARKS.items()}
    written = {
        (name, path.stem)
        for path in (ROOT / "benchmarks").glob("*.py")
        if path.stem in modules.values()
        for name in re.findall(r"^def run_(\w+)", read(path), re.MULTILINE)
    }
    assert written == set(modules.items())
