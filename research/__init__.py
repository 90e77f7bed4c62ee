"""What reproduces papers, trains, benchmarks and judges; it is here where its extra's libraries are."""

from importlib.util import find_spec

from core.extras import NEEDED

for _library in NEEDED:
    if find_spec(_library) is None:
        raise ModuleNotFoundError(f"research needs {_library}", name=__name__)
