"""Statistics of headlines, kept on disk: the same metric on the same headlines never runs twice."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np

from core import __version__
from core.metrics.headlines.metric import FloatArray, Written, headline_metrics
from core.runtime import Runtime
from core.workflows.fingerprints import recipe_fingerprint

FOLDER: Final = "headline_statistics"
KEPT: Final = 5000  # files; the one unused for longest goes first


def statistics_of(signature: str, written: Written, runtime: Runtime, *, digest: str = "") -> FloatArray:
    """Statistics of each headline, from the disk where they are known, float64 [n, k].

    Args:
        signature: Of the metric, with all its settings.
        written: What is scored.
        runtime: Its cache folder holds the statistics.
        digest: From `digest_of`, where it is known already.

    Raises:
        CoreError: The metric cannot run here.
        Cancelled: The runtime's stop was set.
    """
    file = runtime.cache / FOLDER / f"{_key(signature, written, digest or digest_of(written))}.npz"
    known = _read(file, len(written.headlines))
    if known is not None:
        return known
    found = headline_metrics.parse(signature).statistics(written, runtime)
    _write(file, found)
    return found


def digest_of(written: Written) -> str:
    """Hex digits over all that metrics read."""
    digest = hashlib.sha256(written.language.encode())
    columns = (written.headlines, written.references, written.articles, written.numbers, written.operations)
    for column in columns:
        digest.update(f"{tuple(column)!r}\x1f".encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()


def _key(signature: str, written: Written, digest: str) -> str:
    """32 hex digits over the metric, its code, its settings, and all that it reads."""
    metric = headline_metrics.parse(signature)
    parts = (__version__, recipe_fingerprint(signature, metric), metric.signature_text(written), digest)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _read(file: Path, headlines: int) -> FloatArray | None:
    """What a file holds; None where there is none or it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as kept:
            found: FloatArray = kept["statistics"]
        if found.ndim != 2 or len(found) != headlines or found.dtype != np.float64:
            return None
        file.touch()
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return None
    return found


def _write(file: Path, statistics: FloatArray) -> None:
    """Keeps statistics; a full or read-only disk is no reason to lose them."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            np.savez_compressed(part, statistics=statistics)
        os.replace(part.name, file)
        for old in sorted(file.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return
