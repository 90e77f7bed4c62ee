"""Parts of an archive made here or on a Ray cluster, a worker a core (docs/decisions/0019-cluster.md)."""

import logging
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from core.archive.folder import ArchiveFolder, Array
from core.digests import code_digest
from core.errors import Cancelled, CoreError, InputError
from core.extras import extras
from core.runtime import Runtime, detect_device, stay_offline

_TRIES: Final = 4  # how many workers a part may end before it is given up
_GLANCE_SECONDS: Final = 0.2
_REACH_SECONDS: Final = 5
Work = Callable[[Any, Sequence[Array], Runtime], Array]
"""A function of what a part is given and of the arrays that it reads, and of nothing else; the runtime tells
it the device. It is found by its name in another process."""
_Hired = tuple[Any, bool]  # an actor, and whether it works on a GPU


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePart:
    """An array of an archive that is made without the other parts of its step."""

    name: str  # of the array in the folder
    given: Any  # what the work is called with
    reads: tuple[str, ...] = ()  # names of arrays in the folder that it is called with next


Backend = Callable[[Work, Sequence[ArchivePart], ArchiveFolder, Runtime, str], Iterator[Array]]
"""Makes the parts of a step that the folder lacks, and gives every one as it is there, in any order."""


def local_backend(
    work: Work, parts: Sequence[ArchivePart], folder: ArchiveFolder, runtime: Runtime, step: str
) -> Iterator[Array]:
    for number, part in enumerate(runtime.track(parts, step)):
        if not folder.holds(part.name):
            reads = [folder.array(name) for name in part.reads]
            within = runtime.within(step, number, number + 1, len(parts))
            folder.write(part.name, work(part.given, reads, within))
        yield folder.array(part.name)


@contextmanager
def computing(cluster: str | None) -> Iterator[Backend]:
    """Where to compute: on the Ray cluster of an address, or here."""
    if cluster is None:
        yield local_backend
        return
    with extras():
        import ray
    _check(cluster)
    try:
        ray.init(address=cluster, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # of many kinds, none of which Ray documents
        raise _unreachable(cluster, str(error).strip().partition("\n")[0]) from error
    try:
        yield Cluster().make
    except (ray.exceptions.RayError, ConnectionError) as error:
        hint = "Run the same command again (with or without --cluster): it resumes where it was."
        raise CoreError("The cluster was lost before the archive was done.", hint=hint) from error
    finally:
        ray.shutdown()


def _check(address: str) -> None:
    try:
        parsed = urlsplit(address if "://" in address else f"//{address}")
        host, port = parsed.hostname, parsed.port
    except ValueError:
        host = port = None
    if not host or not port or parsed.scheme not in ("", "ray"):
        message = f"{address!r} is no address of a cluster."
        raise InputError(message, hint="Write it as ray://HOST:10001, or as HOST:6379.")
    try:
        socket.create_connection((host, port), timeout=_REACH_SECONDS).close()
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from error


def _unreachable(address: str, reason: str) -> CoreError:
    return CoreError(
        f"The cluster {address!r} cannot be reached: {reason.rstrip('.')}.",
        hint="Check the address and that `ray start --head` runs there, with the Python, the Ray and the"
        " token of this machine; without --cluster the archive is made here.",
    )


class _Worker:
    def __init__(self, on_gpu: bool, half: bool, seed: int) -> None:
        stay_offline()
        device = detect_device() if on_gpu else "cpu"
        self._runtime = Runtime(device=device, half=half, seed=seed, patient=True)

    def code(self) -> str:
        return _code()

    def part(self, work: Work, given: Any, *reads: Array) -> Array:
        return work(given, reads, self._runtime)


def _code() -> str:
    return code_digest("core.archive.build", within=("core.",))


class Cluster:
    """The cluster that this process is connected to; its workers start with the first part and stay."""

    def __init__(self) -> None:
        self._crew: _Crew | None = None

    def make(
        self, work: Work, parts: Sequence[ArchivePart], folder: ArchiveFolder, runtime: Runtime, step: str
    ) -> Iterator[Array]:
        missing = [part for part in parts if not folder.holds(part.name)]
        lacking = {part.name for part in missing}
        done = len(parts) - len(missing)
        runtime.report(step, done, len(parts))
        yield from (folder.array(part.name) for part in parts if part.name not in lacking)
        if not missing:
            return
        crew = self._crew = self._crew or _Crew(runtime)
        try:
            for name, array in crew.made(work, missing, folder):
                if runtime.stop.is_set():
                    raise Cancelled(step)
                if array is None:
                    continue
                folder.write(name, array)
                done += 1
                runtime.report(step, done, len(parts))
                yield folder.array(name)
        except BaseException:  # also where whoever asked wants no more
            self._crew = None
            crew.end()
            raise


class _Crew:
    def __init__(self, runtime: Runtime) -> None:
        import ray

        self._ray: Any = ray
        self._kind: Any = self._ray.remote(_Worker)
        self._like = (runtime.half, runtime.seed)
        self._starting: dict[Any, _Hired] = {}
        self._idle: list[_Hired] = []
        self._busy: dict[Any, tuple[_Hired, ArchivePart]] = {}
        self._stored: dict[str, Any] = {}
        self._failed_starts = 0
        there = self._ray.cluster_resources()
        self._cores, gpus = int(there.get("CPU", 0)), int(there.get("GPU", 0))
        if not self._cores:
            message = "The cluster has no core to work with."
            raise InputError(message, hint="Start Ray on it with --num-cpus above 0.")
        for number in range(self._cores):
            self._hire(on_gpu=number < gpus)

    def made(
        self, work: Work, parts: Sequence[ArchivePart], folder: ArchiveFolder
    ) -> Iterator[tuple[str, Array | None]]:
        waiting, tries = deque(parts), Counter[str]()
        while waiting or self._busy:
            while waiting and self._idle:
                self._hand(self._idle.pop(), work, waiting.popleft(), folder)
            ready, _ = self._ray.wait([*self._busy, *self._starting], timeout=_GLANCE_SECONDS)
            yield "", None
            for reference in ready:
                if reference in self._starting:
                    self._welcome(reference)
                    continue
                worker, part = self._busy.pop(reference)
                try:
                    array = self._result(reference)
                except _Lost as lost:
                    tries[part.name] += 1
                    if tries[part.name] == _TRIES:
                        raise CoreError(
                            f"{_TRIES} workers ended while they made {part.name}.",
                            hint="The machines of the cluster may be short of memory: give each fewer cores "
                            "with --num-cpus.",
                        ) from lost
                    waiting.appendleft(part)
                    self._hire(on_gpu=worker[1])
                    continue
                self._idle.append(worker)
                yield part.name, array

    def end(self) -> None:
        at_work = (worker for worker, _ in self._busy.values())
        for actor, _ in [*self._idle, *self._starting.values(), *at_work]:
            self._ray.kill(actor)

    def _hire(self, *, on_gpu: bool) -> None:
        actor = self._kind.options(num_cpus=1, num_gpus=int(on_gpu)).remote(on_gpu, *self._like)
        self._starting[actor.code.remote()] = actor, on_gpu

    def _welcome(self, reference: Any) -> None:
        worker = self._starting.pop(reference)
        try:
            code = self._result(reference)
        except _Lost as lost:
            self._failed_starts += 1
            never = getattr(lost.__cause__, "actor_init_failed", False)
            if never or self._failed_starts >= _TRIES * self._cores:
                why = str(lost.__cause__).strip().splitlines()[-1]
                hint = "Install Headline Lab there, in the version of this machine."
                raise CoreError(f"No worker starts on a machine of the cluster: {why}.", hint=hint) from lost
            self._hire(on_gpu=worker[1])
            return
        if code != _code():
            message = "A machine of the cluster has another version of Headline Lab."
            raise CoreError(message, hint="Install the same version on every machine.")
        self._idle.append(worker)

    def _hand(self, worker: _Hired, work: Work, part: ArchivePart, folder: ArchiveFolder) -> None:
        needed = {name for _, other in self._busy.values() for name in other.reads} | set(part.reads)
        self._stored = {name: held for name, held in self._stored.items() if name in needed}
        for name in part.reads:
            if name not in self._stored:
                self._stored[name] = self._ray.put(np.asarray(folder.array(name)))
        reads = [self._stored[name] for name in part.reads]
        self._busy[worker[0].part.remote(work, part.given, *reads)] = worker, part

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, CoreError):
                raise error.cause from None
            raise RuntimeError(f"a worker met a bug:\n{error}") from error
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError) as error:
            raise _Lost from error


class _Lost(Exception):
    """A worker is gone before it was done."""
