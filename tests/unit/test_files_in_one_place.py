"""Nothing but `core.files` writes files; the exceptions are named here with their reasons."""

import ast

import pytest

from core.files import ROOT

PLACES = ("core", "research", "cli", "components", "pages", "app.py", "menu.py")

WRITES = {
    *("write_text", "write_bytes", "touch", "rename", "save_file", "save_pretrained", "save_model"),
    *("mkstemp", "mkdtemp", "NamedTemporaryFile", "savez", "savez_compressed", "ftruncate", "fsync"),
}
OF_MODULES = {("os", "replace"), ("os", "write"), ("os", "rename"), ("os", "open"), ("shutil", "move")}

ALLOWED = {
    # It is what this is about.
    "core/files.py": None,
    # Libraries that write by themselves, under a name that `core.files` gave or takes back.
    "core/tensor_files.py": {"save_file"},
    "research/training/pairs/catboost_pairs.py": {"save_model"},
    "research/runs/growing.py": {"save_model"},
    # Folders that are of use only when run.json says that training has finished.
    "core/pairs/cross_encoder/tokens.py": {"save_pretrained"},
    "research/training/headlines/hub_lessons.py": {"save_pretrained"},
    # A folder that gets its name when it is whole.
    "core/models/language_models/smollm2.py": {"mkdtemp", "save_pretrained", "rename"},
    # Settings and devices of the system, which are no files, and what processes print.
    "research/judging/groups.py": {"write_text"},
    "research/judging/kernel.py": {"open"},
    "research/judging/launch.py": {"open", "write"},
    "research/judging/separate_process.py": {"write_text"},
    "research/benchmark/engine.py": {"write_text"},
    "research/catalogue/training_runs.py": {"open"},
    "core/live/follow.py": {"open"},
}


@pytest.mark.slow
def test_nothing_else_writes():
    assert sorted(set(_found())) == []


@pytest.mark.slow
def test_what_is_allowed_is_needed():
    found = set(_found(allowed=True))
    for path, names in ALLOWED.items():
        assert {name for place, name in found if place == path} >= (names or set()), path


def _found(*, allowed=False):
    """Calls that write, by file; without those that are allowed there."""
    files = [path for place in PLACES for path in ([ROOT / place, *(ROOT / place).rglob("*.py")])]
    for path in files:
        if path.suffix != ".py":
            continue
        place = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = _name(node) if isinstance(node, ast.Call) else ""
            if name and (allowed or (place != "core/files.py" and name not in (ALLOWED.get(place) or ()))):
                yield place, name


def _name(call):
    """What writes; "" for a call that does not."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
    if (owner, name) in OF_MODULES:
        return name
    if name in WRITES and (name != "rename" or len(call.args) == 1):  # with two, an event gets its title
        return name
    return "open" if name in ("open", "fdopen") and _mode(call).strip("rbt") else ""


def _mode(call):
    """The mode of an `open`, "" where it is none."""
    texts = [one.value for one in (*call.args[:2], *(k.value for k in call.keywords if k.arg == "mode"))
             if isinstance(one, ast.Constant) and isinstance(one.value, str)]  # fmt: skip
    modes = [text for text in texts if len(text) <= 3 and set(text) <= set("rwaxbt+")]
    return modes[0] if modes else ""
