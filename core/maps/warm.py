"""Gets a map method ready on a background thread, so that the first map does not wait for it."""

from __future__ import annotations

import logging
import threading

import numpy as np

from core.errors import CoreError
from core.maps.projector import Projector
from core.runtime import Runtime

log = logging.getLogger(__name__)


class Warming:
    """A method that is being made ready.

    Attributes:
        failure: What went wrong, or None.
    """

    def __init__(self, projector: Projector, runtime: Runtime) -> None:
        """Prepares the thread; `begin` starts it.

        Args:
            projector: Any registered map method.
            runtime: Where it will run; its progress is not reported.
        """
        self._projector = projector
        self._runtime = Runtime(device=runtime.device, seed=runtime.seed, cache=runtime.cache)
        self._ready = threading.Event()
        self.failure: str | None = None
        self._thread = threading.Thread(target=self._run, name="warm-map", daemon=True)

    def begin(self) -> None:
        """Starts the thread."""
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not (see `failure`)."""
        return self._ready.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until it has ended, or so many seconds; whether it has ended."""
        return self._ready.wait(seconds)

    def _run(self) -> None:
        try:
            few = np.random.default_rng(0).normal(size=(32, 8)).astype(np.float32)
            self._projector.project(few, self._runtime)
        except (CoreError, ImportError, RuntimeError, ValueError) as problem:
            # The map itself will meet the same problem and tell the person who asked for it.
            self.failure = str(problem)
            log.warning("warming %s failed: %s", type(self._projector).__name__, problem)
        finally:
            self._ready.set()


_lock = threading.Lock()
_known: dict[str, Warming] = {}


def warm(runtime: Runtime, *, name: str = "umap_direct") -> Warming:
    """Begins to make a map method ready; a second call returns the one under way or done.

    For `umap_direct` this imports scipy and takes a fraction of a second. For `umap` it compiles
    for 10 to 40 seconds of one core: begin it when somebody chooses that method, not at start,
    where it would slow the first embedding.

    Raises:
        UnknownNameError: There is no such method.
    """
    from core.maps.projector import projectors

    recipe = projectors.get(name)
    qualified = projectors.name_of(recipe)
    with _lock:
        if qualified not in _known:
            _known[qualified] = Warming(recipe(), runtime)
            _known[qualified].begin()
        return _known[qualified]
