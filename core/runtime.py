"""Where and how work runs: device, number format, threads, seed, folders, progress, stop."""

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from core import ABOVE, files, limits
from core.errors import Cancelled, CoreError, InputError

OFFLINE: Final = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")  # by which the hub's libraries reach nothing
T = TypeVar("T")
Report = Callable[[str, int, int], None]
_IGRAPH_RANDOM = threading.Lock()  # igraph has one random generator for the whole process
MODE = "HEADLINE_LAB_MODE"
_CACHE: Final = "HEADLINE_LAB_CACHE"
_USER: Final = "HEADLINE_LAB_USER"
RUNS: Final = "HEADLINE_LAB_RUNS"
PRECISIONS: Final = ("auto", "float32", "bfloat16")
"""What networks compute in, as people ask for it; "auto": bfloat16 where the machine is quicker in it."""
_DRIVERS: Final = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""Where a driver of NVIDIA, of Windows below Linux, or of AMD shows on Linux; without one there is no GPU."""
DEVICE: Final = "HEADLINE_LAB_DEVICE"
DEVICES: Final = {"cuda": "GPU (CUDA)", "mps": "GPU (Apple)", "cpu": "CPU"}
"""What computes, by the names that torch has for it."""
TOO_SMALL_GPU: Final = "The GPU's memory was not enough, so the CPU computed this."


class Mode(StrEnum):
    """For whom the app answers: whoever started it, or visitors who are not trusted (docs/security.md)."""

    LOCAL = "local"
    WORKSHOP = "workshop"


def mode() -> Mode:
    """The mode in force: `HEADLINE_LAB_MODE`, or local."""
    given = os.environ.get(MODE, "").strip().lower() or Mode.LOCAL
    if given not in set(Mode):
        raise InputError(f"{MODE} is {given[:40]!r}.", hint=f"Set it to one of: {', '.join(Mode)}.")
    return Mode(given)


def workshop() -> bool:
    return mode() is Mode.WORKSHOP


def cache_folder() -> Path:
    """The folder for caches: `HEADLINE_LAB_CACHE`, or the system's place for user caches."""
    return _folder(_CACHE, "user_cache_dir")


def user_folder() -> Path:
    """The folder of what a user made and wants back: `HEADLINE_LAB_USER`, or the system's place for it."""
    return _folder(_USER, "user_data_dir")


def runs_folder() -> Path:
    """Where trainings are kept: `HEADLINE_LAB_RUNS`, or `runs` in the user's folder."""
    chosen = os.environ.get(RUNS)
    return Path(chosen) if chosen else user_folder() / "runs"


def tighten_folders() -> None:
    """Takes others' rights to what an older version made; a folder that its variable named keeps its own."""
    for folder, variable in ((user_folder(), _USER), (cache_folder(), _CACHE)):
        if not os.environ.get(variable):
            files.make_private(folder)
        files.tighten(folder)


def _folder(variable: str, place: str) -> Path:
    if chosen := os.environ.get(variable):
        folder = Path(chosen)
    else:
        import platformdirs

        try:
            folder = Path(getattr(platformdirs, place)("headline-lab"))
        except RuntimeError:
            message = "This account has no home folder."
            raise InputError(
                message, hint=f"Set {_USER} and {_CACHE} to folders that it may write."
            ) from None
    files.PRIVATE.add(folder)
    return folder


def data_folder() -> Path:
    """`HEADLINE_LAB_DATA`, `shared/data` beside the checkout, or the system's place for user data."""
    chosen = os.environ.get("HEADLINE_LAB_DATA")
    if chosen:
        return Path(chosen)
    beside = files.ROOT.parent / "shared" / "data"
    return beside if beside.is_dir() and not ABOVE else user_folder()


def _silent(step: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def _unheard(line: str) -> None:
    """A line that a page says where it is asked for."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """What a method needs to know about the machine and the caller."""

    device: str = "cpu"  # "cuda", "mps" or "cpu"
    half: bool = True  # compute in bfloat16 where the method allows it
    forced: bool = False  # so, even where the device is no quicker in it
    seed: int = 0  # seed of everything random
    cache: Path = field(default_factory=cache_folder)  # folder of content-addressed caches
    report: Report = _silent  # called with (step, done, total) as work goes on; from the working thread
    tell: Callable[[str], None] = _unheard  # called with what leaves the computer before it does
    foreseen: bool = False  # what leaves, and what it costs, was told in sum
    spent: dict[str, float] = field(default_factory=dict, compare=False)  # core/models/endpoints/costs.py
    used: dict[str, dict[str, float]] = field(
        default_factory=dict, compare=False
    )  # each answer's, stored too
    stop: threading.Event = field(default_factory=threading.Event)  # long steps look at it between batches
    patient: bool = False  # steps take as long as they need: who waits can stop them and keeps nobody waiting

    def quietly(self) -> "Runtime":
        return replace(self, report=_silent)

    def within(self, step: str, start: int, end: int, of: int) -> "Runtime":
        """The same, for work that is told as the part from `start` to `end` of a step that is `of` long."""

        def report(_: str, done: int, total: int) -> None:
            self.report(step, start * total + (end - start) * done, of * total)

        return replace(self, report=report)

    def track(self, items: Sequence[T], step: str) -> Iterator[T]:
        """Yields the items, reports progress, and stops when asked or out of time (Cancelled, CoreError)."""
        started = time.monotonic()
        for done, item in enumerate(items):
            self.report(step, done, len(items))
            if self.stop.is_set():
                raise Cancelled(step)
            if not self.patient and time.monotonic() - started > limits.STEP_SECONDS.value:
                message = f"{step} took longer than {limits.STEP_SECONDS.value} seconds and was stopped."
                hint = f"Use fewer headlines, or raise {limits.STEP_SECONDS.variable}."
                raise CoreError(message, hint=hint)
            yield item
        self.report(step, len(items), len(items))


def in_precision(runtime: Runtime, wanted: str) -> Runtime:
    """The same with networks in what was asked for, so that a result can be had again on any machine."""
    if wanted not in PRECISIONS:
        message = f"There is no precision {wanted!r:.60}."
        raise InputError(message, hint=f"Choose one of: {', '.join(PRECISIONS)}.")
    return replace(runtime, half=wanted != "float32", forced=wanted == "bfloat16")


def detect_device() -> str:
    """The device of `HEADLINE_LAB_DEVICE`, or the best there is: CUDA, then Apple's MPS, then the CPU."""
    wanted = os.environ.get(DEVICE, "").strip().lower()
    device = wanted if wanted == "cpu" else _best_device()
    if wanted not in {"", device}:
        there = ", ".join({device, "cpu"})
        raise InputError(f"{DEVICE} is {wanted[:40]!r}.", hint=f"This machine has: {there}.")
    return device


def out_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or what it was raised from, is that a GPU's memory was not enough."""
    seen: set[int] = set()  # an error may be raised from one that was raised from it
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        # By its name: where torch was not imported it raised nothing.
        if type(error).__name__ == "OutOfMemoryError" or "MPS backend out of memory" in str(error):
            return True
        error = error.__cause__
    return False


def where_it_fits(work: Callable[[Runtime], T], runtime: Runtime, moved: Callable[[], object]) -> T:
    """What work gives on the runtime's device, or on the CPU where a GPU's memory was not enough."""
    try:
        return work(runtime)
    except Exception as error:
        if runtime.device == "cpu" or not out_of_memory(error):
            raise
    moved()
    return work(replace(runtime, device="cpu"))


def _best_device() -> str:
    if sys.platform == "linux" and not any(map(os.path.exists, _DRIVERS)):
        return "cpu"  # without the second that it takes to import torch
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"


def stay_offline() -> None:
    """Keeps the model hub libraries from reaching out; set before they are imported."""
    for variable in (*OFFLINE, "HF_HUB_DISABLE_TELEMETRY"):
        os.environ.setdefault(variable, "1")


def place_compiled() -> None:
    """Gives loops that numba compiles, and matplotlib, a place where program and home cannot be written."""
    home = Path(os.environ.get("HOME") or os.devnull)
    if "NUMBA_CACHE_DIR" in os.environ or _may_be_made(files.ROOT / "core") or _may_be_made(home / ".cache"):
        return
    try:
        folder = cache_folder() if _may_be_made(cache_folder()) else None
    except InputError:
        folder = None
    folder = folder or Path(files.temporary("compiled").name)
    os.environ["NUMBA_CACHE_DIR"] = str(folder / "numba")
    os.environ.setdefault("MPLCONFIGDIR", str(folder / "matplotlib"))


def _may_be_made(folder: Path) -> bool:
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK)


@contextmanager
def igraph_seeded(seed: int) -> Iterator[None]:
    """Gives igraph a generator of its own while one thread uses it."""
    import igraph

    with _IGRAPH_RANDOM:
        igraph.set_random_number_generator(random.Random(seed))  # noqa: S311 - not for secrets
        try:
            yield
        finally:
            igraph.set_random_number_generator(random)
