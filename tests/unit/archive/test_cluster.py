import sys
from pathlib import Path

import pandas as pd
import pytest

from core import limits
from core.archive import build as neighbours
from core.archive import layout
from core.archive.build import ArchiveSettings, build
from core.archive.cluster import computing
from core.errors import CoreError
from core.files import ROOT
from core.runtime import Runtime
from tests.ray_cluster import running, workers

UCI = ROOT / "samples/uci/uci_stories.csv.gz"


@pytest.fixture(scope="module")
def cluster():
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def connection(cluster):
    with computing(cluster.address) as backend:
        yield backend


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_cluster_that_loses_a_worker_and_a_machine_makes_the_same_archive(
    cluster, connection, tmp_path, monkeypatch
):
    monkeypatch.setattr(layout, "PART", 100)
    monkeypatch.setattr(neighbours, "_ROWS", 64)
    monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, "300")  # the first blocks are crowded, the last not
    table = pd.read_csv(UCI, dtype=str).iloc[::8]
    published = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    file = tmp_path / "news.csv"
    pd.DataFrame({"headline": table["TITLE"], "published": published}).to_csv(file, index=False)
    build(file, tmp_path / "here", ArchiveSettings(), {}, Runtime())
    killed: list[str] = []

    def report(step, done, total):
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
def test_a_cluster_that_cannot_be_reached_is_one_sentence(address, message):
    with pytest.raises(CoreError, match=message), computing(address):
        pass


def test_without_ray_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    message = r"not installed\. Install it with `pip install 'headline-lab\[cluster\]'`"
    with pytest.raises(CoreError, match=message), computing("127.0.0.1:1"):
        pass
