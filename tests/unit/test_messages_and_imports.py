import ast
import json
import os
import re
import time

import numpy as np
import pytest

from core import files
from core.disk_cache import ENDING, FORGOTTEN_SECONDS, DiskCache
from core.errors import CoreError
from core.files import ROOT
from tests.faults import attempts, partials
from tests.programs import printed

ARRAYS = {"scores": np.linspace(0, 1, 40, dtype=np.float32), "none": np.zeros((0, 3), dtype=np.int64)}

OPTION = re.compile(r"(^|\s|`)--[a-z]")
COMMANDS = re.compile(r"`\s*(pip|ray|headline-lab) [^`]*`")
"""Whole commands, which are the same wherever one reads of them."""
NO_PAGE = "cli/", "research/judging/", "core/archive/cluster.py"


def filled(folder, *keys):
    cache = DiskCache(folder)
    for key in keys:
        cache.put(key, ARRAYS, reasons={"no date — 日": 3}, seconds=0.25)
    return cache


def test_what_was_put_is_got(tmp_path):
    found = filled(tmp_path / "deep" / "er", "ab").get("ab")

    assert {name: value.dtype for name, value in found.arrays.items()} == {
        name: value.dtype for name, value in ARRAYS.items()
    }
    assert all(np.array_equal(found.arrays[name], value) for name, value in ARRAYS.items())
    assert found.about == {"reasons": {"no date — 日": 3}, "seconds": 0.25}


def test_every_flipped_bit_and_every_cut_is_seen_and_the_file_removed(tmp_path):
    cache = filled(tmp_path, "ab")
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()

    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        for content in (damaged, whole[:place], whole + whole[:place][-3:] + b"x"):
            file.write_bytes(content)
            assert cache.get("ab") is None
            assert not file.exists()


def test_no_failing_disk_gets_out(tmp_path):
    for one in attempts(lambda: filled(tmp_path, "ab"), before=lambda: DiskCache(tmp_path).forget("ab")):
        assert one.outcome == ("killed" if one.disk.fault == "killed" else "done"), one
        found = DiskCache(tmp_path).get("ab")
        assert found is None or np.array_equal(found.arrays["scores"], ARRAYS["scores"])
        assert one.outcome == "killed" or not partials(tmp_path)


def test_what_was_unused_for_longest_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_RESULT_CACHE_MEGABYTES", "1")
    cache, large = DiskCache(tmp_path), {"large": np.zeros(290_000, dtype=np.uint8)}
    for age, key in enumerate(("aa", "bb", "cc")):
        cache.put(key, large)
        os.utime(tmp_path / f"{key}{ENDING}", (age, age))
    assert cache.get("aa") is not None

    cache.put("dd", large)

    assert sorted(path.stem for path in tmp_path.iterdir()) == ["aa", "cc", "dd"]


def test_what_a_kill_left_goes_some_day(tmp_path):
    old, new = tmp_path / f".old{files.PARTIAL}", tmp_path / f".new{files.PARTIAL}"
    for path in (old, new):
        path.write_bytes(b"")
    long_ago = time.time() - FORGOTTEN_SECONDS - 60
    os.utime(old, (long_ago, long_ago))

    filled(tmp_path, "ab")

    assert [path.name for path in partials(tmp_path)] == [new.name]


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
    "research/runs/trees.py": {"save_model"},
    # Folders that are of use only when run.json says that training has finished.
    "core/pairs/cross_encoder/tokens.py": {"save_pretrained"},
    "research/training/headlines/hub_seq2seq.py": {"save_pretrained"},
    # A file that is sent, under a name that `core.files` gave.
    "core/archive/kept.py": {"open"},
    # A folder that gets its name when it is whole.
    "core/models/language_models/causal.py": {"mkdtemp", "save_pretrained", "rename"},
    # The rights of a file that `core.files` puts in its place, before keys go into it.
    "core/journal/server_file.py": {"touch"},
    # Settings and devices of the system, which are no files, and what processes print.
    "cli/main.py": {"open"},
    "research/judging/control_group.py": {"write_text"},
    "research/catalogue/training_runs.py": {"open"},
    "research/judging/launch.py": {"open", "write"},
    "research/judging/separate_process.py": {"write_text"},
    "research/benchmark/engine.py": {"write_text"},
    "core/live/processes.py": {"open"},
}


@pytest.mark.slow
def test_nothing_else_writes():
    assert sorted(set(_found())) == []


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
    texts = [one.value for one in (*call.args[:2], *(k.value for k in call.keywords if k.arg == "mode"))
             if isinstance(one, ast.Constant) and isinstance(one.value, str)]  # fmt: skip
    modes = [text for text in texts if len(text) <= 3 and set(text) <= set("rwaxbt+")]
    return modes[0] if modes else ""


HEAVY = (
    "altair", "catboost", "igraph", "numba", "pandas", "plotly", "pyarrow", "scipy", "sklearn", "torch",
    "transformers", "umap",
)  # fmt: skip
ASK = """
import importlib, json, sys
heavy, found = set(json.loads(sys.argv[1])), {}
for name in json.loads(sys.argv[2]):
    before = heavy & set(sys.modules)
    importlib.import_module(name)
    if new := sorted(heavy & set(sys.modules) - before):
        found[name] = new
print(json.dumps(found))
"""


def _modules(room):
    return [path for path in sorted((ROOT / room).rglob("*.py")) if path.stem != "__main__"]


def _is_made_of_it(path):
    """Whether a module is a network or compiled: made of torch or numba, it cannot be without."""
    imported = [
        name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return any(name.split(".")[0] in {"torch", "numba"} for name in imported)


def _loaded_by(modules):
    """What each module brings along, all imported one after another in a process of their own."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in modules
    ]
    found: dict[str, list[str]] = json.loads(printed(ASK, json.dumps(HEAVY), json.dumps(names)))
    return found


@pytest.mark.slow
def test_no_room_of_core_loads_a_heavy_library():
    rooms = [path for room in ("core", "research") for path in _modules(room) if not _is_made_of_it(path)]
    assert len(rooms) > 300
    assert _loaded_by(rooms) == {}


@pytest.mark.slow
def test_no_verb_loads_a_heavy_library():
    assert _loaded_by(_modules("cli")) == {}


PACKAGES = ("core", "research", "components", "pages", "cli", "headline_lab")
QUOTED = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”')
"""What a person types, or finds in a file, stands between backticks or quotes."""
IDENTIFIER = re.compile(r"\b[^\W_]+_\w*[^\W_]\b")
ENVIRONMENT = re.compile(r"[A-Z_]+")
"""Variables of the environment, and places for a value: a person writes them as they stand."""


def written(node, texts):
    """The words of an expression, with "…" for what only the run knows."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(written(part, texts) for part in parts)
        case ast.FormattedValue(value=value) | ast.Starred(value=value):
            return written(value, texts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return written(left, texts) + written(right, texts)
        case ast.IfExp(body=first, orelse=other):
            return f"{written(first, texts)} {written(other, texts)}"
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts):
            return " ".join(written(part, texts) for part in parts)
        case ast.Name(id=name):
            return texts.get(name, "…")
    return "…"


def called(call):
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def messages():
    """Place and words of every message and hint of every `CoreError` that is made in the tree."""
    trees = {
        f"{file.relative_to(ROOT)}": ast.parse(file.read_text(encoding="utf-8"))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
    }
    nodes = [(place, node) for place, tree in trees.items() for node in ast.walk(tree)]
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for _, node in nodes
        if isinstance(node, ast.ClassDef)
    }
    errors = {"CoreError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    texts: dict[str, dict[str, str]] = {place: {} for place in trees}
    for place, node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            texts[place][name] = f"{texts[place].get(name, '')} {written(node.value, {})}"
    for place, node in nodes:
        own = isinstance(node, ast.ClassDef) and node.name in errors
        for call in ast.walk(node) if own else (node,):
            if isinstance(call, ast.Call) and called(call) in ({"__init__"} if own else errors):
                for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                    yield f"{place}:{value.lineno}", written(value, texts[place])


def test_no_message_or_hint_has_a_name_of_the_code():
    said = list(messages())
    assert len({place for place, _ in said}) > 500
    assert any("nothing that you had is lost" in text for _, text in said)
    identifiers = [
        f"{place}: {word}"
        for place, text in said
        for word in IDENTIFIER.findall(QUOTED.sub("", text))
        if not ENVIRONMENT.fullmatch(word)
    ]
    assert not identifiers


def test_hints_on_pages_name_no_option_of_the_command_line():
    said = [(place, CoreError("It failed.", hint=text).advice) for place, text in messages()]
    options = [
        f"{place}: {text}"
        for place, text in said
        if OPTION.search(COMMANDS.sub("", text)) and not place.startswith(NO_PAGE)
    ]
    assert not options
    error = CoreError("It failed.", hint="Name it (or give --column title=NAME), please (now).")
    assert error.advice == "Name it, please (now)."
    assert "--column" in str(error)
