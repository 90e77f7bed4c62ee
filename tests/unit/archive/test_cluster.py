"""Archives made here and on a Ray cluster: one contract, and the same folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import limits
from core.archive import build as neighbours
from core.archive import layout
from core.archive.build import ArchiveSettings, build
from core.archive.cluster import ArchivePart, Backend, Here, computing
from core.archive.reading import ArchiveFolder
from core.errors import Cancelled, CoreError, InputError
from core.files import ROOT
from core.runtime import Runtime
from tests.archive_parts import refused, slow, squares
from tests.ray_cluster import running, workers

UCI = ROOT / "samples/uci/uci_stories.csv.gz"
STEP = "Making parts"
ON_A_CLUSTER = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def connection(cluster: Any) -> Iterator[Backend]:
    with computing(cluster.address) as backend:
        yield backend


@pytest.fixture(params=["here", pytest.param("cluster", marks=ON_A_CLUSTER)])
def backend(request: pytest.FixtureRequest) -> Backend:
    found: Backend = Here() if request.param == "here" else request.getfixturevalue("connection")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> ArchiveFolder:
    return ArchiveFolder(tmp_path / "a", {})


def test_parts_that_are_missing_are_made_and_all_are_given(backend: Backend, folder: ArchiveFolder) -> None:
    folder.write("one", np.array([3, 4]))
    folder.write("p/1", np.array([7]))
    parts = [
        ArchivePart(name=f"p/{number}", given=number, reads=("one",) * (number % 2)) for number in range(6)
    ]
    told: list[tuple[str, int, int]] = []
    runtime = Runtime(report=lambda step, done, total: told.append((step, done, total)))
    given = list(backend.make(squares, parts, folder, runtime, STEP))
    wanted = [[], [7], [0, 1], [7, 8, 11], [0, 1, 4, 9], [7, 8, 11, 16, 23]]
    assert sorted(array.tolist() for array in given) == sorted(wanted)
    assert [folder.array(part.name).tolist() for part in parts] == wanted
    assert told[-1] == (STEP, 6, 6)


def test_what_the_work_refuses_is_told_in_its_words(backend: Backend, folder: ArchiveFolder) -> None:
    parts = [ArchivePart(name="p", given=5)]
    with pytest.raises(InputError, match=r"5 cannot be used\. Give another\."):
        list(backend.make(refused, parts, folder, Runtime(), STEP))
    assert not folder.holds("p")


def test_a_stop_ends_the_step_and_keeps_what_is_made(backend: Backend, folder: ArchiveFolder) -> None:
    runtime = Runtime()
    parts = [ArchivePart(name=f"p/{number}", given=0.01) for number in range(400)]
    making = backend.make(slow, parts, folder, runtime, STEP)
    next(making)
    runtime.stop.set()
    with pytest.raises(Cancelled, match=STEP):
        list(making)
    assert sum(folder.holds(part.name) for part in parts) == 1
    assert len(list(backend.make(slow, parts[:9], folder, Runtime(), STEP))) == 9, "it works on"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_cluster_that_loses_a_worker_and_a_machine_makes_the_same_archive(
    cluster: Any, connection: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "PART", 100)
    monkeypatch.setattr(neighbours, "_ROWS", 64)
    monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, "300")  # the first blocks are crowded, the last not
    table = pd.read_csv(UCI, dtype=str).iloc[::8]
    published = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    file = tmp_path / "news.csv"
    pd.DataFrame({"headline": table["TITLE"], "published": published}).to_csv(file, index=False)
    build(file, tmp_path / "here", ArchiveSettings(), {}, Runtime())
    killed: list[str] = []

    def report(step: str, done: int, total: int) -> None:
        if step == layout.ENCODING_STEP and done == 1 and step not in killed:
            killed.append(step)
            workers()[0].kill()
        if step == neighbours.STEP and done == 2 and step not in killed:
            killed.append(step)
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    build(file, tmp_path / "there", ArchiveSettings(), {}, Runtime(report=report), backend=connection)
    assert killed == [layout.ENCODING_STEP, neighbours.STEP]
    arrays = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*.npy"))
    assert len(arrays) > 20
    for name in [*arrays, Path("events.parquet"), Path("headlines.parquet")]:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "The cluster '127.0.0.1:1' cannot be reached: .*ray start --head"),
        ("http://127.0.0.1:8265", "is no address of a cluster. Write it as ray://"),
        ("ray://somewhere", "is no address of a cluster"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_one_sentence(address: str, message: str) -> None:
    with pytest.raises(CoreError, match=message), computing(address):
        pass


def test_without_ray_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    message = r"not installed\. Install it with `pip install 'headline-lab\[cluster\]'`"
    with pytest.raises(CoreError, match=message), computing("127.0.0.1:1"):
        pass
