"""Packages say what others may use, names for everybody and modules for packages above: nothing else is."""

import ast
import re
from functools import cache
from importlib import import_module

import pytest

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
    """The names for everybody by their modules, and the modules and folders for packages above."""
    _, _, text = (import_module(package).__doc__ or "").partition("Public: ")
    public, _, above = text.partition("For packages above: ")
    names = {module: listed.replace(",", " ").split() for module, listed in ITEM.findall(public)}
    return names, set(above.rstrip(". \n").replace(",", " ").split())


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
    public, above = said(package)
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
    assert {one for one in above if f"{package}.{one}" not in known()} == set()


def test_what_documents_import_is_public():
    written = {path for page in PAGES for path, _ in SAVE.findall(page.read_text(encoding="utf-8"))}
    for page in PAGES:
        for kind, block in FENCED.findall(page.read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(block if kind == "python" else "")):
                of = getattr(node, "module", None) or ""
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


def test_packages_use_of_another_what_it_lists():
    missing = {
        f"{of.replace('.', '/')} is used by {module}: list {of.split('.')[2]} in {home(of)}/__init__.py"
        for module, of, _ in uses()
        if home(of) in CORE and home(module) != home(of) and of != home(of) and not is_open(of)
    }
    assert missing == set()


def is_open(module):
    public, above = said(home(module))
    child = module.split(".")[2]
    return child in above or child in {one.split(".")[0] for one in public}


@pytest.mark.parametrize("package", CORE)
def test_no_package_lists_what_nobody_uses(package):
    used = {
        of.split(".")[2] for module, of, _ in uses() if home(of) == package != home(module) and of != package
    }
    assert said(package)[1] - {of.split(".")[2] for of in inside} == set()


def test_a_name_with_an_underscore_stays_in_its_module():
    crossing = [use for use in uses() if re.match(r"_(?!_)", use[2]) or re.search(r"\._(?!_)", use[1])]
    assert crossing == []
