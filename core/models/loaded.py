"""Loaded models: each is loaded when it is asked for, and dropped after ten minutes in which nobody asked."""

import ctypes
import functools
import gc
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, ParamSpec, TypeVar

from core import limits
from core.runtime import Runtime

P = ParamSpec("P")
T = TypeVar("T")
clock = time.monotonic
_LOADERS: "weakref.WeakSet[Loader[..., Any]]" = weakref.WeakSet()
_WATCH = threading.Lock()


def loaded(most: int) -> "Callable[[Callable[P, T]], Loader[P, T]]":
    """Decorator: remembers the last `most` models that a function loaded, by its arguments, while in use."""
    return functools.partial(Loader, most)


class Loader(Generic[P, T]):
    def __init__(self, most: int, load: Callable[P, T]) -> None:
        functools.update_wrapper(self, load)
        self._load, self._most, self._lock = load, most, threading.RLock()
        # When each was last asked for and how it is reached: a dropped one while somebody still holds it.
        self._models: OrderedDict[Hashable, tuple[float, Callable[[], T | None]]] = OrderedDict()
        _LOADERS.add(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        key = tuple(
            (value.device, value.half, value.cache) if isinstance(value, Runtime) else value
            for value in (*args, *kwargs.items())
        )
        with self._lock:
            _, reach = self._models.pop(key, (0.0, lambda: None))
            model = reach()
            if model is None:
                model = self._load(*args, **kwargs)
            self._models[key] = clock(), functools.partial(_same, model)
            while len(self._models) > self._most:
                self._models.popitem(last=False)
        _watch()
        return model

    def cache_clear(self) -> None:
        with self._lock:
            self._models.clear()

    def loosen(self, before: float) -> bool:
        """Lets go of what was last asked for before a moment; whether there was any."""
        with self._lock:
            idle = [key for key, (asked, _) in self._models.items() if asked <= before]
            for key in idle:
                self._models[key] = clock(), _weak(self._models[key][1]())
        return bool(idle)

    def tidy(self) -> bool:
        """Forgets what is gone; whether something is left."""
        with self._lock:
            for key in [key for key, (_, reach) in self._models.items() if reach() is None]:
                del self._models[key]
            return bool(self._models)


def drop_idle() -> bool:
    """Drops what nobody asked for in `model_seconds` and no work still holds; whether some models stay."""
    before = clock() - limits.MODEL_SECONDS.value
    loosened = sum(loader.loosen(before) for loader in [*_LOADERS])
    if loosened:
        gc.collect()
    left = sum(loader.tidy() for loader in [*_LOADERS])
    if loosened:
        give_memory_back()
    return bool(left)


def give_memory_back() -> None:
    """Gives what the C library and Arrow hold of freed memory back to the system."""
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # elsewhere than in glibc
        ctypes.CDLL(None).malloc_trim(0)


def _watch() -> None:
    if (watch := _WATCH).acquire(blocking=False):

        def look() -> None:
            left = True
            try:
                left = drop_idle()
            finally:
                watch.release()
            if left:
                _watch()

        timer = threading.Timer(limits.MODEL_SECONDS.value / 10, look)
        timer.daemon = True
        timer.start()


def _same(model: T) -> T:
    return model


def _weak(model: Any) -> Callable[[], Any]:
    """How a model is reached while somebody else holds it; of several parts, the first."""
    first, *others = model if isinstance(model, tuple) else (model,)
    try:
        reach = weakref.ref(first)
    except TypeError:  # tables and trees, which are small
        return lambda: None
    if not isinstance(model, tuple):
        return reach
    return lambda: None if (held := reach()) is None else (held, *others)
