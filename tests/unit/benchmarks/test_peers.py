import pandas as pd
import pytest

from benchmarks import scale
from benchmarks.peer_methods import CHOSEN_ON, ENCODING, STATIC, WAYS
from benchmarks.scale import GROWTH_LIMIT, extrapolated
from core.files import ROOT


@pytest.mark.parametrize(
    ("took", "likely"),
    [
        ([], 0.0),
        ([2.0], 20.0),  # as the headlines
        ([0.01, 2.0], 20.0),  # too short to say how it grows
        ([1.0, 5.0], 50.0),  # not less than the headlines
        ([1.0, 100.0], 10_000.0),  # the square
    ],
)
def test_the_next_size_takes_as_long_as_growth_says(took, likely):
    assert extrapolated(took) == likely


def test_a_method_is_stopped_by_its_processor_time(tmp_path):
    sample = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)
    table = pd.DataFrame({"headline": sample["TITLE"], "group": sample["STORY"]})
    scale.write_groups(tmp_path, CHOSEN_ON, table.head(50))
    scale.write_groups(tmp_path, "many", table)
    for name in (CHOSEN_ON, "many"):
        assert scale.through_peer(tmp_path, name, STATIC, ("",)) != ([], "")
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
        ENCODING, STATIC, "single pass", "Headline Lab, archive, level chosen",
    }  # fmt: skip
    assert GROWTH_LIMIT <= scale.PEERS_LIMIT
