"""What networks compute in: measured once a processor, and said in every signature."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.data.timelines.load import load_sample
from core.data.timelines.timeline import Timeline
from core.events.grouping import Settings, prepare, regroup
from core.models.networks import precision
from core.models.networks.precision import (
    NetworkNumbers,
    bfloat16_pays,
    eight_bits_pay,
    layer_seconds,
    quickest,
)
from core.runtime import Runtime

XEON = {NetworkNumbers.FLOAT32: 8.5, NetworkNumbers.BFLOAT16: 12.5}
EPYC = {NetworkNumbers.FLOAT32: 8.8, NetworkNumbers.BFLOAT16: 4.7}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A processor with the instructions, of which nothing is known yet."""
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(precision, "_can", lambda *_: True)
    monkeypatch.setattr(precision, "layer_seconds", lambda: XEON)
    precision._processor_gains.cache_clear()
    yield monkeypatch
    precision._processor_gains.cache_clear()


def pays_in_a_new_process() -> bool:
    precision._processor_gains.cache_clear()
    return bfloat16_pays("cpu")


def test_a_processor_with_the_instructions_is_not_taken_at_its_word(machine: pytest.MonkeyPatch) -> None:
    assert not pays_in_a_new_process()
    machine.setattr(precision, "processor_name", lambda: "another")
    machine.setattr(precision, "layer_seconds", lambda: EPYC)
    assert pays_in_a_new_process()


def test_what_was_measured_stays_until_processor_or_library_change(machine: pytest.MonkeyPatch) -> None:
    assert not pays_in_a_new_process()
    machine.setattr(precision, "layer_seconds", lambda: EPYC)
    assert not pays_in_a_new_process()
    machine.setattr(precision, "version", lambda name: "99.0")
    assert pays_in_a_new_process()


def test_nothing_is_measured_where_the_instructions_are_not_there(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(precision, "_can", lambda *_: False)
    machine.setattr(precision, "layer_seconds", lambda: pytest.fail("it was measured"))
    assert not pays_in_a_new_process()
    assert not bfloat16_pays("mps")


def test_a_busy_machine_does_not_decide() -> None:
    held_up = itertools.chain([40, 3, 900, 25, 5, 700, 33, 41, 80, 60])
    clock = itertools.accumulate(itertools.chain([0], *((took, 0) for took in held_up)))
    assert layer_seconds(lambda: next(clock)) == {NetworkNumbers.FLOAT32: 5, NetworkNumbers.BFLOAT16: 3}


def test_eight_bits_are_used_where_they_pay_and_are_wanted() -> None:
    assert quickest(Runtime(half=False)) is NetworkNumbers.FLOAT32
    assert (quickest(Runtime(half=True)) is NetworkNumbers.INT8) == eight_bits_pay("cpu")
    assert not eight_bits_pay("cuda")
    assert not eight_bits_pay("mps")


def grouped(timeline: Timeline, monkeypatch: pytest.MonkeyPatch, *, pays: bool) -> tuple[list[int], set[str]]:
    monkeypatch.setattr(precision, "bfloat16_pays", lambda device: pays)
    groups = regroup(prepare(timeline, Settings(), Runtime()))
    return groups.ids.tolist(), set(groups.signature.split(" · "))


def test_the_first_sample_has_one_result_on_any_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = load_sample()
    assert grouped(timeline, monkeypatch, pays=True) == grouped(timeline, monkeypatch, pays=False)


@pytest.mark.slow
def test_any_other_timeline_says_what_its_vectors_were_computed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = load_sample("uci").select(np.arange(300))
    half, said_half = grouped(timeline, monkeypatch, pays=True)
    whole, said_whole = grouped(timeline, monkeypatch, pays=False)
    assert said_half ^ said_whole == {"numbers:bfloat16", "numbers:float32"}
    assert np.mean(np.array(half) != whole) < 0.02
