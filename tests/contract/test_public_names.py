"""Packages say which names are for everybody, and which modules are inside and nobody else's business."""

import ast
import re
from functools import cache
from importlib import import_module
from itertools import chain

import pytest

from core.catalogue import registries
from core.files import ROOT
from tests.contract.test_no_circles import PACKAGES, imported
from tests.docs.following import FENCED, SAVE
from tests.docs.pages import PAGES, name

ITEM = re.compile(r"`([\w.]+)`\s\(([^)]+)\)")
ALL = [
    ".".join(path.parent.relative_to(ROOT).parts)
    for top in PACKAGES
    for path in sorted((ROOT / top).rglob("__init__.py"))
    if "Public: " in path.read_text(encoding="utf-8")
]
CORE = sorted(f"core.{path.parent.name}" for path in (ROOT / "core").glob("*/__init__.py"))


@cache
def said(package):
    """The names for everybody by their modules, and the modules that are inside."""
    _, _, text = (import_module(package).__doc__ or "").partition("Public: ")
    public, _, inside = text.partition("Inside: ")
    names = {module: listed.replace(",", " ").split() for module, listed in ITEM.findall(public)}
    return names, set(inside.rstrip(". \n").replace(",", " ").split())


@cache
def known():
    """Modules by their dotted names."""
    paths = [path.relative_to(ROOT) for top in PACKAGES for path in (ROOT / top).rglob("*.py")]
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


@cache
def uses():
    """Every import of a module of the house by another: who, of which module, which name ("" for itself)."""
    found = []
    for module, path in known().items():
        for dotted, package in imported(ast.parse((ROOT / path).read_bytes())):
            of, what = (dotted, "") if dotted in known() else (package, dotted.rpartition(".")[2])
            if of in known():
                found.append((module, of, what))
    return found


def home(module):
    """The package that a module is inside of, for which it is nobody else's business."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "core" else parts[0]


def test_every_package_of_core_says_what_others_may_use():
    assert [package for package in CORE if package not in ALL] == []


@pytest.mark.parametrize("package", ALL)
def test_every_name_that_is_listed_exists(package):
    public, inside = said(package)
    assert public
    folder = ROOT / package.replace(".", "/")
    for module, names in public.items():
        dotted = f"{package}.{module}"
        assert dotted in known(), f"{package}/__init__.py lists {module}, which is gone"
        gone = [one for one in names if one not in vars(import_module(dotted))]
        texts = {name(file): file.read_text(encoding="utf-8") for file in folder.rglob("*.py")}
        now = {
            one: [file for file, text in texts.items() if re.search(rf"^(class |def )?{one}\b", text, re.M)]
            for one in gone
        }
        assert gone == [], f"{package}/__init__.py lists them in {module}; they are in {now}"
    assert {one for one in inside if f"{package}.{one}" not in known()} == set()


def test_what_documents_import_is_public():
    written = {path for page in PAGES for path, _ in SAVE.findall(page.read_text(encoding="utf-8"))}
    for page in PAGES:
        for kind, block in FENCED.findall(page.read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(block if kind == "python" else "")):
                of = (getattr(node, "module", None) or "").removeprefix("headline_lab.")
                if of.split(".")[0] not in PACKAGES or f"{of.replace('.', '/')}.py" in written:
                    continue
                for one in node.names:
                    assert is_public(of, one.name), f"{name(page)}: list {one.name} of {of} in its package"


def is_public(module, one):
    if module == "headline_lab":
        return one in import_module(module).__all__
    parts = module.split(".")
    packages = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return any(one in said(p)[0].get(module.removeprefix(f"{p}."), ()) for p in packages if p in ALL)


def test_the_architecture_has_the_names_for_everybody_on_one_screen():
    block = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
    rows = [re.split(r" {2,}", line) for line in block.splitlines()[2:]]
    shown, package = {}, ""
    for first, *_, names in rows:
        package = first or package
        shown[package] = shown.get(package, []) + names.split()
    shown["core"] = shown["core/*.py"] + shown["core.catalogue"]
    for one in ALL:
        listed = sorted(chain(*said(one)[0].values()))
        assert sorted(shown[one]) == listed, f"{one}: give docs/architecture.md the names of __init__.py"
    assert len(rows) <= 30  # of 19 pixels, below the first lines, at 1280 by 900
    assert max(map(len, block.splitlines())) <= 124


KIND = re.compile(r"^\| \[?([a-z ]+)\b.*? \| `(from ([\w.]+) import (\w+), (\w+))` \|", re.MULTILINE)


def test_the_base_class_and_the_registry_of_every_kind_are_in_one_table():
    table = (ROOT / "docs/add_a_method.md").read_text(encoding="utf-8")
    rows = {kind: (module, base, registry) for kind, _, module, base, registry in KIND.findall(table)}
    known = {one.kind: one for one in registries() if one.kind != "evaluation form"}  # forms are files
    assert set(rows) == set(known)
    for kind, (module, base, registry) in rows.items():
        assert is_public(module, base), f"list {base} of {module} in its package"
        assert is_public(module, registry), f"list {registry} of {module} in its package"
        assert getattr(import_module(module), registry) is known[kind]
        wanted = getattr(import_module(module), base)
        for one in known[kind]:
            assert wanted in known[kind].get(one).__mro__ or getattr(wanted, "_is_protocol", False), one


def test_what_is_inside_of_a_package_is_used_by_no_other():
    crossing = {
        f"{module} uses {of}, which {home(of)}/__init__.py lists as inside"
        for module, of, _ in uses()
        if home(of) in CORE and home(module) != home(of) != of and of.split(".")[2] in said(home(of))[1]
    }
    assert crossing == set()


def test_a_name_with_an_underscore_stays_in_its_module():
    crossing = [use for use in uses() if re.match(r"_(?!_)", use[2]) or re.search(r"\._(?!_)", use[1])]
    assert crossing == []
