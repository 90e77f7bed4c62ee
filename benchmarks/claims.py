"""What the lights of the check of numbers are worth on headlines that writers wrote, right and wrong.

Every kind of error and both baselines are in [numeral_benchmark.md](numeral_benchmark.md).
"""

from __future__ import annotations

import time
from typing import Any, Final

from core.runtime import Runtime
from research.benchmark import claims

LIMIT: Final = 120
"""Test headlines of NumHG that are made wrong."""


def run() -> dict[str, Any]:
    """One row a system, set and kind of headline."""
    began = time.process_time()
    found = claims.run(Runtime(patient=True), limit=LIMIT)
    ours = sum(one.headlines for one in found if one.system == claims.OURS and one.kind != "false")
    spent = 1000 * (time.process_time() - began) / max(ours, 1)
    return claims.as_object(found) | {"processor_milliseconds_a_headline": round(spent, 1)}
