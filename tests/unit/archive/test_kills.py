import random
import subprocess
import sys
import time

import pandas as pd
import pytest

from core.archive import build as neighbours
from core.archive import layout
from core.archive.build import ArchiveSettings, build
from core.errors import DataSourceError
from core.files import ROOT
from core.runtime import Runtime
from tests.faults import attempt, partials


def started(file, out):
    words = [sys.executable, "-m", "cli", "archive", str(file), "--out", str(out), "--quiet"]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)


def finished(folder):
    return [path for path in folder.rglob("*") if path.suffix in (".npy", ".parquet", ".json")]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_process_that_is_killed_again_and_again_ends_with_the_same_archive(tmp_path):
    table = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str).iloc[::8]
    published = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    file, whole, broken = tmp_path / "news.csv", tmp_path / "whole", tmp_path / "broken"
    pd.DataFrame({"headline": table["TITLE"], "published": published}).to_csv(file, index=False)
    assert started(file, whole).wait() == 0
    moments, kills = random.Random(4), 0
    for step in sorted(moments.sample(range(1, len(finished(whole))), 6)):
        with started(file, broken) as process:
            while process.poll() is None and len(finished(broken)) < step:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.3))
            kills += process.poll() is None
            process.kill()
    assert kills > 2
    assert started(file, broken).wait() == 0
    for path in finished(whole):
        if path.name != "summary.json":  # it has the seconds
            assert (broken / path.relative_to(whole)).read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_a_disk_that_is_full_or_fails_is_one_sentence_and_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "PART", 20)
    monkeypatch.setattr(neighbours, "_ROWS", 16)
    file = tmp_path / "news.csv"
    days = pd.date_range("2024-05-01", periods=60, freq="h").astype(str)
    names = [f"Storm {number % 7} shuts the port of Dover" for number in range(60)]
    pd.DataFrame({"headline": names, "published": days}).to_csv(file, index=False)

    def make(out):
        build(file, out, ArchiveSettings(), {}, Runtime())

    make(tmp_path / "whole")
    for fault, at in (("full", 1), ("full", 9), ("full", 30), ("broken", 17), ("broken", 45)):
        out = tmp_path / f"{fault}{at}"
        found = attempt(lambda out=out: make(out), fault, at)
        assert found.outcome == "told"
        assert isinstance(found.error, DataSourceError)
        text = str(found.error)
        assert "cannot be made" in text or ("cannot be written" in text and "there is space" in text)
        assert not partials(out)
        make(out)
        for name in ("groups.npy", "places.npy", "events.parquet"):
            assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
