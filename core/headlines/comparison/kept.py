"""Statistics of headlines, kept on disk: the same metric on the same headlines never runs twice."""

from __future__ import annotations

import hashlib
from typing import Final

from core import __version__
from core.arrays import FloatArray
from core.disk_cache import DiskCache
from core.headlines.metrics.metric import MetricInput, headline_metrics
from core.pairs.scoring.fingerprints import fingerprint_of
from core.runtime import Runtime

FOLDER: Final = "headline_statistics"


def statistics_of(signature: str, written: MetricInput, runtime: Runtime, *, digest: str = "") -> FloatArray:
    """Statistics of each headline, from the disk where they are known, float64 [n, k].

    Raises:
        CoreError: The metric cannot run here.
        Cancelled: The runtime's stop was set.
    """
    cache, key = DiskCache(runtime.cache / FOLDER), _key(signature, written, digest or digest_of(written))
    known = cache.get(key)
    if known is not None:
        return known.arrays["statistics"]
    found = headline_metrics.parse(signature).statistics(written, runtime)
    cache.put(key, {"statistics": found})
    return found


def digest_of(written: MetricInput) -> str:
    """Hex digits over all that metrics read."""
    digest = hashlib.sha256(written.language.encode())
    columns = (written.headlines, written.references, written.articles, written.numbers, written.operations)
    for column in columns:
        digest.update(f"{tuple(column)!r}\x1f".encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()


def _key(signature: str, written: MetricInput, digest: str) -> str:
    metric = headline_metrics.parse(signature)
    parts = (__version__, fingerprint_of(signature, metric), metric.signature_text(written), digest)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]
