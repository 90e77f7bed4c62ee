"""What reproduces papers, trains, benchmarks and judges; it is here where its extra's libraries are.

Public: `benchmark.pairs.rows` (row), `benchmark.pairs.run` (measure_pairs), `runs.trainer`
(Trainer, trainers), `runs.trees` (grow), `training.pairs.siamese` (HeadTrainer)."""

import sys
from importlib.util import find_spec

from core.extras import NEEDED

for _library in () if sys.flags.no_site else NEEDED:  # none of them where a judged system is launched
    if find_spec(_library) is None:
        raise ModuleNotFoundError(f"research needs {_library}", name=__name__)
