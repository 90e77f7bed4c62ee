import itertools
import json
import re
import threading

import numpy as np
import pytest
import scipy.linalg
import torch
from threadpoolctl import threadpool_info

from core.data.timelines.load import load_sample
from core.errors import ModelUnavailableError
from core.events.grouping import Settings, prepare, regroup
from core.models.networks import batches
from core.models.networks import flan_t5 as module
from core.models.networks.batches import (
    NetworkNumbers,
    bfloat16_pays,
    eight_bits_pay,
    layer_seconds,
    one_core,
    quickest,
)
from core.models.networks.bert import Bert, PlainLinear, in_eight_bits
from core.models.networks.flan_t5 import flan_t5, read_onnx
from core.models.weights import load_state, locate
from core.runtime import Runtime


@pytest.mark.slow
def test_it_writes_titles_as_its_makers_trained_it_to():
    model, tokenizer = flan_t5()
    given = tokenizer(
        "headline: A ferry carrying 212 passengers ran aground off Paros on Sunday.", return_tensors="pt"
    )
    written = model.generate(input_ids=given.input_ids, max_new_tokens=16)[0]
    assert {"212", "passengers"} <= set(tokenizer.decode(written, skip_special_tokens=True).split())
    assert sum(value.numel() for value in {id(v): v for v in model.parameters()}.values()) == 76_961_152


def test_files_that_are_damaged(tmp_path, monkeypatch):
    for name in ("encoder.onnx", "decoder.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"\x3a\x00")
    monkeypatch.setattr(module, "flan_t5_folder", lambda: tmp_path)
    with pytest.raises(ModelUnavailableError, match="damaged or of another version") as caught:
        flan_t5()
    assert "requirements.txt" in caught.value.hint


INPUTS = torch.randn(7, 64, generator=torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def plain():
    draw = torch.Generator().manual_seed(2)
    return PlainLinear(torch.randn(48, 64, generator=draw), torch.randn(48, generator=draw))


@pytest.fixture(scope="module")
def small(plain):
    return in_eight_bits(plain)


def test_eight_bits_are_close_to_float32(plain, small):
    whole, rounded = plain(INPUTS), small(INPUTS)
    assert rounded.dtype == torch.float32
    assert float((whole - rounded).std() / whole.std()) < 0.05
    assert not torch.equal(whole, rounded)


def threads():
    """How many threads each library of numpy, scipy and torch would use in the calling thread."""
    libraries = [one for one in threadpool_info() if re.search("numpy|scipy|torch", one["filepath"])]
    return {one["filepath"]: one["num_threads"] for one in libraries}


def test_products_keep_to_one_core_while_it_lasts():
    assert np.linalg.eigvalsh(np.eye(2)).any()  # loads the libraries
    assert scipy.linalg.eigvalsh(np.eye(2)).any()
    assert torch.ones(2, 2).mm(torch.ones(2, 2)).any()
    kept = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        before = threads()
        with one_core():
            assert set(threads().values()) == {1}
            other: list[int] = []
            thread = threading.Thread(target=lambda: other.append(torch.get_num_threads()))
            thread.start()
            thread.join()
        assert threads() == before
        assert other == [2], "another thread's networks are left alone"
    finally:
        torch.set_num_threads(kept)


def varint(number):
    number &= (1 << 64) - 1
    found = b""
    while number > 0x7F:
        found += bytes([number & 0x7F | 0x80])
        number >>= 7
    return found + bytes([number])


def part(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def number(field, value):
    return varint(field << 3) + varint(value)


def tensor(name, kind, shape, content):
    dims = b"".join(number(1, size) for size in shape)
    return part(5, dims + number(2, kind) + content + part(8, name.encode()))


def node(name, *taken):
    return part(1, b"".join(part(1, one.encode()) for one in taken) + part(3, name.encode()))


def model(*parts):
    """A version, the graph, and a float that nobody reads."""
    return number(1, 8) + part(7, b"".join(parts)) + varint(9 << 3 | 5) + b"\0\0\0\0"


FLOATS = np.array([[1.5, -2.0]], dtype=np.float32).tobytes()
GOOD = model(
    tensor("plain", 1, (1, 2), part(9, FLOATS)),
    tensor("listed", 1, (2,), part(4, FLOATS)),
    tensor("w_quantized", 3, (3,), part(9, np.array([-3, 0, 127], dtype=np.int8).tobytes())),
    tensor("w_zero_point", 3, (), b"".join(number(5, -1) for _ in range(1))),
    tensor("w_scale", 1, (), part(4, np.float32(0.5).tobytes())),
    tensor("packed", 7, (2,), part(5, varint(300) + varint(-2))),
    tensor("words", 8, (), b""),
    node("/enc/q/MatMul_quant", "hidden", "w_quantized"),
)


def written(folder, content):
    (folder / "model.onnx").write_bytes(content)
    return folder / "model.onnx"


def test_tensors_in_every_form(tmp_path):
    found = read_onnx(written(tmp_path, GOOD))
    assert set(found.tensors) == {"plain", "listed", "w_quantized", "w_zero_point", "w_scale", "packed"}
    assert found.tensors["plain"].tolist() == [[1.5, -2.0]]
    assert found.tensors["listed"].tolist() == [1.5, -2.0]
    assert found.tensors["packed"].tolist() == [300, -2]
    assert found.real("w").tolist() == [-1.0, 0.5, 64.0]
    assert found.uses == (("/enc/q/MatMul_quant", ("hidden", "w_quantized")),)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04 nothing",
        GOOD[:-40],
        model(tensor("short", 1, (3,), part(9, FLOATS))),
        number(7, 3),
        b"\xff" * 30,
    ],
)
def test_damaged_files(tmp_path, content):
    with pytest.raises(ModelUnavailableError, match=r"model\.onnx cannot be read"):
        read_onnx(written(tmp_path, content))


XEON = {NetworkNumbers.FLOAT32: 8.5, NetworkNumbers.BFLOAT16: 12.5}
EPYC = {NetworkNumbers.FLOAT32: 8.8, NetworkNumbers.BFLOAT16: 4.7}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A processor with the instructions, of which nothing is known yet."""
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(batches, "_can", lambda *_: True)
    monkeypatch.setattr(batches, "layer_seconds", lambda: XEON)
    batches._processor_gains.cache_clear()
    yield monkeypatch
    batches._processor_gains.cache_clear()


def pays_in_a_new_process():
    batches._processor_gains.cache_clear()
    return bfloat16_pays("cpu")


def test_a_processor_with_the_instructions_is_not_taken_at_its_word(machine):
    assert not pays_in_a_new_process()
    machine.setattr(batches, "processor_name", lambda: "another")
    machine.setattr(batches, "layer_seconds", lambda: EPYC)
    assert pays_in_a_new_process()


def test_what_was_measured_stays_until_processor_or_library_change(machine):
    assert not pays_in_a_new_process()
    machine.setattr(batches, "layer_seconds", lambda: EPYC)
    assert not pays_in_a_new_process()
    machine.setattr(batches, "version", lambda name: "99.0")
    assert pays_in_a_new_process()


def test_a_busy_machine_does_not_decide():
    held_up = itertools.chain([40, 3, 900, 25, 5, 700, 33, 41, 80, 60])
    clock = itertools.accumulate(itertools.chain([0], *((took, 0) for took in held_up)))
    assert layer_seconds(lambda: next(clock)) == {NetworkNumbers.FLOAT32: 5, NetworkNumbers.BFLOAT16: 3}


def test_eight_bits_are_used_where_they_pay_and_are_wanted():
    assert quickest(Runtime(half=False)) is NetworkNumbers.FLOAT32
    assert (quickest(Runtime(half=True)) is NetworkNumbers.INT8) == eight_bits_pay("cpu")
    assert not eight_bits_pay("cuda")
    assert not eight_bits_pay("mps")


def grouped(timeline, monkeypatch, *, pays):
    monkeypatch.setattr(batches, "bfloat16_pays", lambda device: pays)
    groups = regroup(prepare(timeline, Settings(), Runtime()))
    return groups.ids.tolist(), set(groups.signature.split(" · "))


def test_the_first_sample_has_one_result_on_any_processor(monkeypatch):
    timeline = load_sample()
    assert grouped(timeline, monkeypatch, pays=True) == grouped(timeline, monkeypatch, pays=False)


@pytest.mark.slow
def test_any_other_timeline_says_what_its_vectors_were_computed_in(monkeypatch):
    timeline = load_sample("uci").select(np.arange(300))
    half, said_half = grouped(timeline, monkeypatch, pays=True)
    whole, said_whole = grouped(timeline, monkeypatch, pays=False)
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


@pytest.mark.parametrize("eight_bits", [False, True])
def test_each_row_has_the_vectors_that_it_has_alone(*, eight_bits):
    network = bert(eight_bits=eight_bits)
    with torch.inference_mode():
        together = network.vectors(ROWS, FIRSTS, ASKED)
        for row, first, asked, found in zip(ROWS, FIRSTS, ASKED, together, strict=True):
            alone = network.hidden(
                row[None], np.array([len(row)]), np.array([first]), asked=np.array([asked])
            )[0]
            # Sums of 8 bits are exact; in float32 the number of rows decides in which order is summed.
            torch.testing.assert_close(found, alone, rtol=0.0, atol=0.0 if eight_bits else 1e-5)
