import threading
import weakref

import pytest

from core.models import loaded as module
from core.models.loaded import drop_idle, loaded
from core.runtime import Runtime


class Model:
    pass


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set, and no thread that looks at it."""
    now = [1_000.0]
    monkeypatch.setattr(module, "clock", lambda: now[0])
    monkeypatch.setattr(module, "_watch", lambda: None)
    monkeypatch.setattr(module, "_LOADERS", weakref.WeakSet())  # other tests of this process loaded models
    return now


def loader(most=2):
    loads = []

    @loaded(most)
    def load(name, runtime=None):
        loads.append(name)
        return Model()

    return load, loads


@pytest.mark.slow
def test_a_model_that_nobody_asked_for_in_ten_minutes_is_dropped_and_loads_again(clock):
    load, loads = loader()
    gone = weakref.ref(load("a"))
    clock[0] += 599
    drop_idle()
    assert gone() is not None
    clock[0] += 1
    drop_idle()
    assert gone() is None
    assert isinstance(load("a"), Model)
    assert loads == ["a", "a"]


def test_asking_begins_the_ten_minutes_anew(clock):
    load, loads = loader()
    for _ in range(3):
        load("a")
        clock[0] += 500
        drop_idle()
    assert loads == ["a"]


@pytest.mark.slow
def test_a_model_in_use_stays_and_is_shared_with_the_next_who_asks(clock):
    load, loads = loader()
    held = load("a")
    for _ in range(3):
        clock[0] += 700
        assert drop_idle()
    assert load("a") is held
    assert loads == ["a"]
    gone = weakref.ref(held)
    del held
    clock[0] += 700
    assert not drop_idle()
    assert gone() is None


@pytest.mark.slow
def test_a_model_with_its_tokenizer_stays_whole_while_it_is_in_use(clock):
    load = loaded(1)(lambda: (Model(), ["pieces"]))
    model, _ = load()
    clock[0] += 700
    drop_idle()
    assert load() == (model, ["pieces"])


def test_the_last_ones_are_remembered_for_each_device(clock):
    load, loads = loader()
    load("a", Runtime(seed=1))
    load("a", Runtime(seed=2))
    load("a", Runtime(device="cuda"))
    assert loads == ["a", "a"]
    load("b")
    load("a", Runtime())
    assert loads == ["a", "a", "b", "a"]


@pytest.mark.slow
def test_somebody_looks_once_a_minute_while_a_model_is_loaded(monkeypatch):
    now, begun = [1_000.0], []

    class Timer:
        def __init__(self, seconds, look):
            self.look = look
            begun.append((seconds, self))

        def start(self):
            assert self.daemon

    monkeypatch.setattr(module, "clock", lambda: now[0])
    monkeypatch.setattr(module, "_LOADERS", weakref.WeakSet())
    monkeypatch.setattr(module, "_WATCH", threading.Lock())
    monkeypatch.setattr(module.threading, "Timer", Timer)
    load, _ = loader()
    gone = weakref.ref(load("a"))
    load("a")
    for _ in range(10):
        now[0] += begun[-1][0]
        begun[-1][1].look()
    assert [seconds for seconds, _ in begun] == [60] * 10
    assert gone() is None
    load("a")
    assert len(begun) == 11
