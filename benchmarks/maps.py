"""Times the map methods from a cold process and warm, and how well they keep neighbours.

Each method and size runs in a process of its own. Beside ours stands umap-learn with its defaults
(approximate neighbours, spectral start, no seed).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from core.files import ROOT

METHODS = ("pca.v1", "umap_direct.v1", "umap.v1", "umap-learn defaults")
NEIGHBOURS = 15


def vectors_of(file: Path, size: int):
    """Unit vectors, float32 [size, d]; past the file's length they repeat with noise."""
    import numpy as np

    drawn = np.random.default_rng(0)
    known = np.load(file)
    more = max(size - len(known), 0)
    noisy = known[drawn.integers(0, len(known), more)] + drawn.normal(0, 0.02, (more, known.shape[1]))
    rows = np.concatenate((known[:size], noisy)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def kept(vectors, places) -> dict[str, float]:
    """Trustworthiness, and the share of the nearest 15 by cosine that stay the nearest 15."""
    import numpy as np
    from scipy.spatial import cKDTree

    n, k = len(vectors), NEIGHBOURS
    ranked = np.empty((n, n), dtype=np.int32)
    similar = vectors @ vectors.T
    np.fill_diagonal(similar, np.inf)
    order = np.argsort(-similar, axis=1, kind="stable")
    np.put_along_axis(ranked, order, np.broadcast_to(np.arange(n, dtype=np.int32), (n, n)), axis=1)
    near = cKDTree(places).query(places, k + 1)[1]
    near = np.array([[j for j in row if j != i][:k] for i, row in enumerate(near)])
    rank = np.take_along_axis(ranked, near, axis=1).astype(int)
    lost = np.maximum(rank - k, 0).sum()
    return {
        "trustworthiness": round(float(1 - 2 / (n * k * (2 * n - 3 * k - 1)) * lost), 4),
        "neighbours_kept": round(float((rank <= k).mean()), 4),
    }


def measure(method: str, file: Path, size: int) -> dict[str, object]:
    """One method in this process: cold from its start, then warm."""
    vectors = vectors_of(file, size)
    ready = time.perf_counter()

    def project():
        if method == "umap-learn defaults":
            import umap

            return umap.UMAP(metric="cosine").fit_transform(vectors)
        from core.maps.projector import projectors
        from core.runtime import Runtime

        return projectors.get(method)().project(vectors, Runtime())

    places = project()
    cold = time.perf_counter() - ready
    begun = time.perf_counter()
    project()
    warm = time.perf_counter() - begun
    quality = kept(vectors, places) if size <= 12_000 else {}
    return {
        "name": method,
        "headlines": size,
        "cold_seconds": round(cold, 2),
        "warm_seconds": round(warm, 2),
        **quality,
    }


def run(*, sizes: tuple[int, ...] = (4774, 10_000)) -> dict[str, object]:
    """Every method and size on the UCI headlines' vectors; past their number they repeat with noise."""
    import tempfile

    import numpy as np

    from core.data.timelines import load
    from core.models.encoders.cache import encode_cached
    from core.models.encoders.encoder import encoders
    from core.runtime import Runtime

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        texts = load.load_sample("uci").texts
        np.save(file, encode_cached(texts, encoders.parse("minilm"), Runtime(cache=Path(folder))))
        for size in sizes:
            rows += [_apart(method, file, size) for method in METHODS]
    return {"benchmark": "maps", "rows": rows}


def _apart(method: str, file: Path, size: int) -> dict[str, object]:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.maps", method, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    result: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return result


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))
