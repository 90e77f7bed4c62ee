"""Where the steps of an archive compute: in this process, or on the machines of a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from core.archive.folder import ArchiveFolder, Array
from core.runtime import Runtime

Work = Callable[[Any, Sequence[Array], Runtime], Array]
"""A function of what a part is given and of the arrays that it reads, and of nothing else; the runtime tells
it the device. It is found by its name in another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePart:
    """An array of an archive that is made without the other parts of its step.

    Attributes:
        name: Of the array in the folder.
        given: What the work is called with.
        reads: Names of arrays in the folder that it is called with next.
    """

    name: str
    given: Any
    reads: tuple[str, ...] = ()


class Backend(ABC):
    """Makes the parts of a step."""

    @abstractmethod
    def make(
        self, work: Work, parts: Sequence[ArchivePart], folder: ArchiveFolder, runtime: Runtime, step: str
    ) -> Iterator[Array]:
        """Makes the parts that the folder lacks, and gives every one as it is there, in any order."""


class Here(Backend):
    """In this process, one part after the other."""

    def make(
        self, work: Work, parts: Sequence[ArchivePart], folder: ArchiveFolder, runtime: Runtime, step: str
    ) -> Iterator[Array]:
        for part in runtime.track(parts, step):
            if not folder.holds(part.name):
                reads = [folder.array(name) for name in part.reads]
                folder.write(part.name, work(part.given, reads, runtime))
            yield folder.array(part.name)


@contextmanager
def computing(cluster: str | None) -> Iterator[Backend]:
    """Where to compute: on the Ray cluster of an address, or here."""
    if cluster is None:
        yield Here()
        return
    from core.archive.cluster import connected

    with connected(cluster) as backend:
        yield backend
