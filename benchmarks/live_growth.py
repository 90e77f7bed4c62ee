"""A stream to its end: fifty thousand headlines one by one, with the window that streams have.

The UCI sample, expanded (`benchmarks/expanded.py`), taken in 500 at a time, with a regrouping whenever a
tenth of the window is new. Processor seconds are added over all cores, without encoding, which is done
before. Quality is that of all groups so far against the gold groups; headlines of the first copy alone have
meaning beyond shared words, so groups of the others are harder to find. Gigabytes are the peak of the
process.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.expanded import expanded

HEADLINES: Final = 50_000
EACH: Final = 5_000  # headlines a row
AT_ONCE: Final = 500


def run() -> dict[str, Any]:
    from core.data.timelines.load import load
    from core.groups.quality.metrics import quality
    from core.live.changes import arrivals_of
    from core.live.stream import Stream, compare
    from core.models.encoders.cache import encode_cached
    from core.models.encoders.encoder import default_encoder, encoders
    from core.runtime import Runtime

    table = pd.concat(expanded(HEADLINES))
    arrivals = arrivals_of(load(table.to_csv(index=False).encode(), "expanded.csv"))
    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache), patient=True)
        encoder = encoders.parse(default_encoder("en"))
        begun = time.process_time()
        encode_cached([one.text for one in arrivals], encoder, runtime)
        encoding = time.process_time() - begun
        compare(arrivals[:100], runtime)
        stream = Stream(runtime)
        rows = []
        for start in range(0, len(arrivals), EACH):
            begun = time.process_time()
            for first in range(start, start + EACH, AT_ONCE):
                for _ in stream.add(arrivals[first : first + AT_ONCE]):
                    pass
            took = time.process_time() - begun
            so_far = arrivals[: start + EACH]
            labels = np.array([stream.book.group_of[one.key] for one in so_far])
            found = quality(labels, [one.gold_group for one in so_far])
            rows.append(
                {
                    "headlines": len(so_far),
                    "processor_seconds": round(took, 1),
                    "ms_a_headline": round(1000 * took / EACH, 1),
                    "ami": round(found["ami"].value or 0.0, 3),
                    "pair_f1": round(found["pair_f1"].value or 0.0, 3),
                    "gigabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
                }
            )
            print(rows[-1], flush=True)
    return {"benchmark": "live_growth", "rows": rows, "encoding_processor_seconds": round(encoding)}
