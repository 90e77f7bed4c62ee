"""Times the map methods from a cold process and warm, and how well they keep neighbours.

    python -m benchmarks.maps [--vectors unit_vectors.npy] [--sizes 4774 10000]

Each method and size runs in a process of its own. Beside ours stands umap-learn with its defaults
(approximate neighbours, spectral start, no seed). Without a file of vectors, clusters are drawn;
past the file's length, its vectors are repeated with noise. `--out` writes JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

METHODS = ("pca.v1", "umap_direct.v1", "umap.v1", "umap-learn defaults")
NEIGHBOURS = 15
ROOT = Path(__file__).parents[1]


def vectors_of(file: Path | None, size: int):
    """Unit vectors, float32 [size, d]."""
    import numpy as np

    drawn = np.random.default_rng(0)
    if file:
        known = np.load(file)
    else:
        centres = drawn.normal(size=(max(size // 30, 1), 384))
        known = centres[np.arange(size) % len(centres)] + 0.8 * drawn.normal(size=(size, 384))
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


def measure(method: str, file: Path | None, size: int) -> dict[str, object]:
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
        "method": method,
        "headlines": size,
        "cold_s": round(cold, 2),
        "warm_s": round(warm, 2),
        **quality,
    }


def main() -> None:
    """Runs every method and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4774, 10_000])
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.vectors, given.sizes[0])))
        return
    results = []
    for size in given.sizes:
        for method in given.methods:
            command = [
                sys.executable,
                "-W",
                "ignore",
                "-m",
                "benchmarks.maps",
                "--one",
                method,
                "--sizes",
                str(size),
            ]
            command += ["--vectors", str(given.vectors)] if given.vectors else []
            done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
            results.append(json.loads(done.stdout.splitlines()[-1]))
            print(*(f"{key} {value}" for key, value in results[-1].items()), sep="  ", flush=True)
    if given.out:
        machine = {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
        given.out.write_text(json.dumps({"machine": machine, "results": results}, indent=2) + "\n")


if __name__ == "__main__":
    main()
