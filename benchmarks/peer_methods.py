"""One way of grouping in a process of its own.

`python -m benchmarks.peer_methods SECONDS METHOD FOLDER SET VALUE …` ends after so many processor seconds and
prints a JSON line a value: times, memory and quality. Before the clock starts, the method has grouped the
set that thresholds are chosen on, so that what it loads and compiles is there.
"""

from __future__ import annotations

import itertools
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.live import LINES, RADII, dbstream, single_pass

CHOSEN_ON: Final = "ECB+ headlines"
PATIENT: Final = 10.0  # processor seconds after which no further value is tried
ENCODING: Final = "encoding by MiniLM"
GIGABYTES: Final = 20  # of memory that a method may ask for
TOO_LARGE: Final = 3  # what the process ends with where that was not enough
MEASURES: Final = ("ami", "ari", "bcubed_f1", "pair_f1")


@dataclass(frozen=True, slots=True)
class Headline:
    """What methods read that take one headline after another; `day` is NaN where it is unknown."""

    text: str
    day: float


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineSet:
    """n headlines in the order of their dates, the undated last."""

    folder: Path  # of `NAME.csv` with headline, published and group, `NAME.npy` and the cache of vectors
    name: str  # of the set
    table: pd.DataFrame  # as the file has it

    @classmethod
    def read(cls, folder: Path, name: str) -> HeadlineSet:
        return cls(folder, name, pd.read_csv(folder / f"{name}.csv", dtype=str))

    @property
    def vectors(self) -> Any:
        return np.load(self.folder / f"{self.name}.npy")

    @property
    def texts(self) -> list[str]:
        return self.table["headline"].tolist()

    @property
    def arrivals(self) -> list[Headline]:
        times = pd.to_datetime(self.table["published"], utc=True, format="ISO8601")
        days = (times - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
        return [Headline(text, day) for text, day in zip(self.texts, days, strict=True)]


def timeline(headlines: HeadlineSet, _value: str) -> Sequence[int]:
    """The groups of the page Timeline with its settings to start with; vectors come from the cache."""
    from core.data.timelines.load import load
    from core.events.grouping import Settings, prepare, regroup
    from core.runtime import Runtime

    read = load((headlines.folder / f"{headlines.name}.csv").read_bytes(), "set.csv")
    runtime = Runtime(cache=headlines.folder / "cache", patient=True)
    found: list[int] = regroup(prepare(read, Settings(), runtime)).ids.tolist()
    return found


def archive(headlines: HeadlineSet, value: str) -> Sequence[int]:
    """`headline-lab archive`, from the file to the finished folder, with a map; a value is its level, and
    without one it finds its own."""
    from core.archive.build import ArchiveSettings, build
    from core.archive.folder import GROUPS
    from core.runtime import Runtime

    runtime = Runtime(cache=headlines.folder / "cache", patient=True)
    settings = ArchiveSettings(granularity=float(value) if value else None)
    with tempfile.TemporaryDirectory() as out:
        build(headlines.folder / f"{headlines.name}.csv", Path(out), settings, {}, runtime)
        found: list[int] = np.load(Path(out) / f"{GROUPS}.npy").tolist()
        return found


def encode(headlines: HeadlineSet, _value: str) -> Sequence[int]:
    """The vectors that the others are given; where the cache has them already, nothing is encoded."""
    from core.models.encoders.cached import encode_cached
    from core.models.encoders.minilm import MiniLM
    from core.runtime import Runtime

    runtime = Runtime(cache=headlines.folder / "cache", patient=True)
    np.save(headlines.folder / f"{headlines.name}.npy", encode_cached(headlines.texts, MiniLM(), runtime))
    return []


def bertopic(headlines: HeadlineSet, value: str) -> Sequence[int]:
    """BERTopic with its own UMAP, drawn by a seed; a value is its least size of a topic."""
    from bertopic import BERTopic
    from umap import UMAP

    flat = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    model = BERTopic(umap_model=flat, min_topic_size=int(value))
    topics, _ = model.fit_transform(headlines.texts, headlines.vectors)
    alone = itertools.count(len(topics))
    return [next(alone) if topic < 0 else int(topic) for topic in topics]


def communities(headlines: HeadlineSet, value: str) -> Sequence[int]:
    """`community_detection`; what is in no community is a group of its own."""
    import torch
    from sentence_transformers.util import community_detection

    found = community_detection(
        torch.from_numpy(headlines.vectors), threshold=float(value), min_community_size=2
    )
    labels = list(range(len(headlines.vectors)))
    for rows in found:
        for row in rows:
            labels[row] = rows[0]
    return labels


def plain(headlines: HeadlineSet, value: str) -> Sequence[int]:
    """Scikit-learn's average linkage of the vectors, without words and time; a value is the least cosine."""
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=1 - float(value)
    )
    found: list[int] = model.fit_predict(headlines.vectors).tolist()
    return found


@dataclass(frozen=True, slots=True)
class Way:
    group: Callable[[HeadlineSet, str], Sequence[int]]
    encoder: str
    values: tuple[str, ...] = ()

    @property
    def given_vectors(self) -> bool:
        """Whether it reads vectors of MiniLM, made by `encode` outside of its own time."""
        return self.group is not encode and "MiniLM" in self.encoder


_COSINES: Final = tuple(f"{value / 100:.2f}" for value in range(40, 85, 5))
_LEVELS: Final = tuple(f"{value / 100:.2f}" for value in (*range(50, 95, 5), *range(95, 100)))
WAYS: Final = {
    ENCODING: Way(encode, "MiniLM"),
    "Headline Lab, timeline": Way(timeline, "MiniLM and words"),
    "Headline Lab, archive": Way(archive, "static and words; MiniLM for its level"),
    "Headline Lab, archive, level chosen": Way(archive, "static and words", _LEVELS),
    "community_detection": Way(communities, "MiniLM", _COSINES),
    "single pass": Way(
        lambda some, value: single_pass(some.arrivals, some.vectors, line=float(value)),
        "words",
        tuple(map(str, LINES)),
    ),
    "DBSTREAM": Way(
        lambda some, value: dbstream(some.arrivals, some.vectors, radius=float(value)),
        "MiniLM",
        tuple(map(str, RADII)),
    ),
    "average linkage of the vectors": Way(plain, "MiniLM", _COSINES),
    "BERTopic": Way(bertopic, "MiniLM", ("2", "5", "10")),
}


def main() -> None:
    limit, *given = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 10))
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    try:
        _run(*given)
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        sys.exit(TOO_LARGE)


def _run(method: str, folder: str, name: str, *values: str) -> None:
    way = WAYS[method]
    if name != CHOSEN_ON:
        way.group(HeadlineSet.read(Path(folder), CHOSEN_ON), values[0])
    headlines = HeadlineSet.read(Path(folder), name)
    for value in values:
        used, begun = time.process_time(), time.perf_counter()
        labels = way.group(headlines, value)
        took = time.perf_counter() - begun
        found: dict[str, Any] = {
            "value": value,
            "processor_seconds": round(time.process_time() - used, 2),
            "seconds": round(took, 2),
            "gigabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        }
        print(json.dumps(found | _measured(labels, headlines)), flush=True)
        if name != CHOSEN_ON and found["processor_seconds"] > PATIENT:
            break


def _measured(labels: Sequence[int], headlines: HeadlineSet) -> dict[str, float]:
    from core.groups.quality import quality

    if not labels:
        return {}
    found = quality(np.unique(labels, return_inverse=True)[1], headlines.table["group"].tolist())
    return {name: round(found[name].value or 0.0, 3) for name in MEASURES}


if __name__ == "__main__":
    main()
