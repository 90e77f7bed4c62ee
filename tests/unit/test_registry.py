"""Recipes by name: versions, signatures, and threads that meet while methods are found."""

import importlib
import sys
import threading
from dataclasses import dataclass, field

import pytest

from core.errors import InputError, UnknownNameError
from core.registry import Registry

METHOD = """
from __future__ import annotations
import time
from dataclasses import dataclass
from {package} import made
time.sleep(0.3)
@made.register("slow.v1")
@dataclass(frozen=True)
class Slow:
    size: int = 1
"""


@dataclass(frozen=True, kw_only=True)
class Old:
    size: int = field(default=3, metadata={"low": 1, "high": 9})
    rate: float = 0.5
    loud: bool = False


@dataclass(frozen=True, kw_only=True)
class New(Old):
    word: str = field(default="a", metadata={"choices": ("a", "b")})


@pytest.fixture
def registry():
    made: Registry[Old] = Registry("thing", "core.maps")
    for name, recipe in (("made.v2", Old), ("made.v10", New)):
        made.register(name)(recipe)
    return made


def test_a_bare_name_is_the_newest_version(registry):
    assert registry.get("made") is New
    assert registry.get("made.v2") is Old


def test_signatures_read_back(registry):
    recipe = New(size=4, rate=0.1, loud=True, word="b")
    assert registry.signature(recipe) == "made.v10|size:4|rate:0.1|loud:true|word:b"
    assert registry.parse(registry.signature(recipe)) == recipe
    assert registry.parse("made|size:5") == New(size=5)


@pytest.mark.parametrize(
    "wrong", ["size:0", "size:10", "size:1.5", "loud:yes", "word:c", "depth:1", "size", ""]
)
def test_wrong_parameters_are_refused(registry, wrong):
    with pytest.raises(InputError):
        registry.parse(f"made|{wrong}")


def test_an_import_and_a_discovery_at_once_do_not_wait_for_each_other(tmp_path, monkeypatch):
    package = "registry_test_package"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").write_text(
        f"from core.registry import Registry\nmade = Registry('thing', '{package}')\n"
    )
    (folder / "slow.py").write_text(METHOD.format(package=package))
    monkeypatch.syspath_prepend(tmp_path)
    made = __import__(package).made
    importing = threading.Thread(target=__import__, args=(f"{package}.slow",), daemon=True)
    discovering = threading.Thread(target=made.names, daemon=True)
    importing.start()
    threading.Event().wait(0.1)
    discovering.start()
    for thread in (importing, discovering):
        thread.join(timeout=10)
        assert not thread.is_alive()
    assert made.names() == ["slow.v1"]
    for name in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[name]


@dataclass(frozen=True, kw_only=True)
class Around:
    base: str = "made.v2"
    rate: float = 1.0


def test_a_recipe_around_another_holds_its_signature(registry):
    around: Registry[Around] = Registry("wrapper", "core.maps")
    around.register("around.v1")(Around)
    inner = registry.signature(New(size=4))
    outer = around.signature(Around(base=inner))
    assert outer == f"around.v1|base:({inner})|rate:1.0"
    assert around.parse(outer).base == inner
    twice = around.signature(Around(base=outer))
    assert around.parse(twice).base == outer
    assert around.parse("around|base:made.v2").base == "made.v2"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("import no_such_module_here", "No module named 'no_such_module_here' (ModuleNotFoundError)."),
        ("def half(:\n    pass", "line 1 cannot be read (invalid syntax)."),
        ("raise SystemExit(3)", "it ends the program when it is imported (SystemExit)."),
        (
            "from dataclasses import dataclass\nfrom {package} import made\n"
            "@made.register('half.v1')\n@dataclass(frozen=True)\nclass Half: pass\n1 / 0",
            "division by zero (ZeroDivisionError).",
        ),
    ],
)
def test_a_broken_file_takes_no_other_with_it(tmp_path, monkeypatch, written, told):
    package = f"package_{abs(hash(told))}"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").write_text(
        f"from core.registry import Registry\nmade = Registry('thing', '{package}')\n"
    )
    (folder / "broken.py").write_text(written.replace("{package}", package))
    (folder / "slow.py").write_text(METHOD.replace("{package}", package))
    monkeypatch.syspath_prepend(tmp_path)
    registry = importlib.import_module(package).made
    assert registry.names() == ["slow.v1"]
    said = f"{package}/broken.py is left out: {told}"
    assert registry.left_out() == {f"{package}/broken.py": said}
    with pytest.raises(UnknownNameError) as caught:
        registry.get("broken")
    assert said in caught.value.hint
