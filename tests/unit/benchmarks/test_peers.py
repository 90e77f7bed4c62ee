import numpy as np
import pandas as pd

from benchmarks import scale
from benchmarks.peer_methods import CHOSEN_ON, ENCODING, WAYS
from core.files import ROOT


def test_a_method_is_stopped_by_its_processor_time(tmp_path):
    sample = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)
    table = pd.DataFrame({"headline": sample["TITLE"], "group": sample["STORY"]})
    scale.write_groups(tmp_path, CHOSEN_ON, table.head(50))
    scale.write_groups(tmp_path, "many", table)
    for name, count in ((CHOSEN_ON, 50), ("many", len(table))):
        np.save(tmp_path / f"{name}.npy", np.ones((count, 1), dtype=np.float32))
    rows, stopped = scale.through_peer(tmp_path, CHOSEN_ON, "single pass", ("0.15", "0.5"))
    assert [row["value"] for row in rows] == ["0.15", "0.5"]
    assert stopped == ""
    lines = tuple(f"{number / 1_000:.3f}" for number in range(100, 500))
    rows, stopped = scale.through_peer(tmp_path, "many", "single pass", lines, limit=5)
    assert len(rows) < len(lines)
    assert stopped == "over 5 processor seconds"


def test_what_reads_vectors_is_charged_for_them():
    charged = {name for name, way in WAYS.items() if way.given_vectors}
    assert charged == set(WAYS) - {
        ENCODING, "single pass", "Headline Lab, archive, level chosen",
    }  # fmt: skip
