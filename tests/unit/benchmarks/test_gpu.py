import pytest

from benchmarks import gpu
from core.runtime import detect_device
from tests.training_data import numhg_file


@pytest.mark.slow
def test_each_step_is_done_and_its_operations_are_counted_in_every_thread(tmp_path, monkeypatch):
    numhg_file(tmp_path)
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    steps = gpu._steps(60, 1, 9)
    sizes = {"encode headlines, MiniLM": 10, "score pairs, cross-encoder": 1, "write headlines, FLAN-T5": 1}
    with gpu._runtime("cpu") as runtime:
        for name, few in sizes.items():
            work, given = steps[name].built(runtime), steps[name].given
            assert gpu._seconds(work, given, few) > 0
            least = 10**9 if few == given else gpu.operations(work, few)
            assert gpu.operations(work, given) > least > 0, name
        compared = steps["compare headlines with the next 4,096"].built(runtime)
        assert gpu.operations(compared, 60) == 2 * 384 * 60 * 60


@pytest.mark.gpu
def test_the_card_is_measured_beside_the_processor():
    if detect_device() != "cuda":
        pytest.skip("There is no GPU of NVIDIA.")
    measured = gpu.run_gpu(headlines=2_000, articles=2, pairs=64)
    assert measured["card"]
    assert all(row["seconds"] > 0 and row["gigabytes"] > 0 for row in measured["rows"])
