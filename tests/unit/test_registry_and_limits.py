import importlib
import os
import re
import shutil
import sys
import threading
import tomllib
from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy import sparse

from core import limits
from core.data.timelines import readers, writers
from core.data.timelines.load import load
from core.data.timelines.readers.delimited import delimited_portions
from core.data.timelines.samples import load_sample
from core.errors import CoreError, InputError, UnknownNameError
from core.events.grouping import Settings, prepare
from core.files import ROOT
from core.groups.quality import quality
from core.pairs.candidates import FLOOR
from core.registry import Registry
from core.runtime import Runtime
from tests.programs import finished

METHODS = {
    "connected_components": 1.0,
    "leiden": 1.0,
    "louvain": 1.0,
    "dbscan": 1.0,
    "birch": 1.0,
    # Pairs below the floor are gone: these two look at far pairs as well and may differ a little.
    "average_linkage": 0.97,
    "hdbscan": 0.95,
}
"""Least pair F1 of the groups from a sparse matrix against those from a full one."""


def dense_and_sparse(timeline, settings, monkeypatch):
    full = prepare(timeline, settings, Runtime())
    with monkeypatch.context() as patch:
        patch.setenv(limits.DENSE_HEADLINES.variable, str(len(timeline) - 1))
        thin = prepare(timeline, settings, Runtime())
    assert isinstance(full.similarities.matrix, np.ndarray)
    assert sparse.issparse(thin.similarities.matrix)
    return full, thin


@pytest.mark.parametrize("scorer", ["cosine_time", "event_similarity"])
@pytest.mark.parametrize(("method", "agreement"), METHODS.items())
def test_past_dense_headlines_the_groups_stay(method, agreement, scorer, monkeypatch):
    iss = load_sample("iss")
    full, thin = dense_and_sparse(iss, Settings(method=method, scorer=scorer), monkeypatch)
    kept = thin.similarities.matrix.toarray()
    both = np.asarray(full.similarities.matrix)
    np.testing.assert_allclose(kept, np.where(both >= FLOOR, both, 0), atol=2e-6)
    for granularity in (0.3, 0.4, 0.5, 0.6, 0.7):
        one, other = full.hierarchy.cut(granularity), thin.hierarchy.cut(granularity)
        if agreement == 1.0:
            np.testing.assert_array_equal(one, other)
        else:
            found = quality(other.tolist(), [str(group) for group in one])
            assert found["pair_f1"].value >= agreement, granularity
    if method == "average_linkage":  # the others' curves on 47 headlines are flat: the floor moves the top
        assert abs(full.start.granularity - thin.start.granularity) < 0.055


def test_past_step_seconds_grouping_says_which_step(monkeypatch):
    times = iter(range(0, 10_000, 700))
    monkeypatch.setattr(
        "core.runtime.time", type("Clock", (), {"monotonic": staticmethod(lambda: next(times))})
    )
    with pytest.raises(CoreError, match=r"took longer than 600 seconds.*HEADLINE_LAB_STEP_SECONDS"):
        prepare(load_sample("iss"), Settings(), Runtime())


@pytest.mark.parametrize("wrong", ["0", "many", "", "٣", "9" * 5_000])
@pytest.mark.parametrize(
    "limit", [limits.FILE_MEGABYTES, limits.DENSE_HEADLINES], ids=lambda limit: limit.name
)  # fmt: skip
def test_a_limit_that_is_no_number_is_one_sentence_at_work(limit, wrong, monkeypatch):
    monkeypatch.setenv(limit.variable, wrong)
    with pytest.raises(InputError, match=limit.variable) as refused:
        prepare(load(b"headline\nStorm closes airport\nBank raises rates\n", "a.csv"), Settings(), Runtime())
    assert len(str(refused.value)) < 400
    assert re.search(r"Unset it", refused.value.hint)


def test_a_line_without_an_end_is_refused(monkeypatch, tmp_path):
    path = tmp_path / "news.csv"
    path.write_text("headline,date\nStorm hits coast,2024-05-01")
    assert len(next(delimited_portions(path, 9))) == 1
    monkeypatch.setenv(limits.LINE_CHARACTERS.variable, "20")
    with pytest.raises(InputError, match="20 characters") as refused:
        next(delimited_portions(path, 9))
    assert limits.LINE_CHARACTERS.variable in refused.value.hint


def test_the_end_of_a_long_quoted_cell_is_not_looked_for(monkeypatch):
    data = b'headline,date\n"Storm hits\nthe coast\nat night",2024-05-01\nBank cuts rates,2024-05-02\n'
    assert len(load(data, "news.csv").report.rejected) == 0
    monkeypatch.setenv(limits.QUOTED_CHARACTERS.variable, "5")
    timeline = load(data, "news.csv")
    assert "never closed" in timeline.report.rejected[0].reason
    assert timeline.report.rejected[0].line == 2
    assert "Bank cuts rates" in timeline.texts


def test_every_limit_is_documented_with_its_default_and_no_other():
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) (.+?) \| (.+?) \|$", text, re.MULTILINE)
    assert rows == [(limit.name, f"{limit.default:,}", limit.unit, limit.reason) for limit in limits.ALL]


def test_every_format_is_documented():
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name in (*readers.names(), *writers.FORMATS):
        assert f"`{name}`" in text


@pytest.mark.parametrize("limit", limits.ALL, ids=lambda limit: limit.name)
def test_every_limit_can_be_changed_and_refuses_nonsense(limit, monkeypatch):
    assert limit.value == limit.default
    monkeypatch.setenv(limit.variable, "7")
    assert limit.value == 7
    for wrong in ("0", "-1", "many", "", "1.5", "٣"):
        monkeypatch.setenv(limit.variable, wrong)
        with pytest.raises(InputError, match=limit.variable):
            _ = limit.value


def test_the_uploader_takes_what_the_reader_takes():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == limits.FILE_MEGABYTES.default


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
        ("raise SystemExit(3)", "importing it ends the program (SystemExit); remove that call."),
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


TESTS = """
from pathlib import Path

def test_late():
    Path("seen").write_text("") if (late := not Path("seen").exists()) else None
    assert not late

def test_stopped():
    if Path("stop").exists():
        raise KeyboardInterrupt

def test_after():
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_the_summary_names_second_runs_and_counts_what_did_not_run(tmp_path, monkeypatch, workers):
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.tally", "--reruns", "1", f"-n{workers}"]
    command += ["-p", "no:cacheprovider", "--rootdir", "."]

    def run():
        (tmp_path / "seen").unlink(missing_ok=True)
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"):
            monkeypatch.delenv(name, raising=False)
        done = finished(*command, cwd=tmp_path, HEADLINE_LAB_TESTS_DONE=str(tmp_path / "done"))
        return done.returncode, done.stdout

    code, out = run()
    assert (code, "not run" in out) == (0, False), out
    assert "passed at the second run: test_it.py::test_late" in out
    assert len(set((tmp_path / "done").read_text().splitlines())) == 3
    (tmp_path / "stop").touch()
    code, out = run()
    assert code != 0
    assert "2 tests not run" in out
    assert out.strip().splitlines()[-1].count(" passed") == 1


@pytest.mark.parametrize(
    ("done", "code", "says"), [(3, 0, ""), (3, 2, ""), (1, 124, "2 tests"), (1, 0, "2 tests")]
)
def test_slow_tests_that_did_not_run_are_counted_and_fail(tmp_path, done, code, says):
    for name, lines in {
        "bin/chromium-headless-shell": "",
        "bin/make": '[ "$1" != slow ] && exit 0; seq 3 > "$HEADLINE_LAB_TESTS_DONE.all"; '
        f'seq {done} >> "$HEADLINE_LAB_TESTS_DONE"; exit {code}',
        ".venv/empty": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/bash\n{lines}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci/run")
    ended = finished("bash", ".ci/run", cwd=tmp_path, PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert (ended.returncode != 0) is bool(says or code), ended.stderr
    assert ("not run" in ended.stdout) is bool(says)
    assert says in ended.stdout
