"""Headlines of a generator for a set of articles, written once and kept on disk."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from core import files
from core.digests import digest
from core.errors import DataSourceError
from core.headlines.generator import GenerationOptions, headline_generators
from core.models.endpoints import costs
from core.models.endpoints.recipe import answers_signature
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.recipe_fingerprint import fingerprint_of
from core.runtime import Runtime

FOLDER: Final = "written_headlines"
AT_ONCE: Final = 32  # articles that go to the generator at once; after these the headlines are on disk


_Known = tuple[str, float, dict[str, float]]  # headline, seconds, cost of a model at an address


class Generated(NamedTuple):
    headlines: tuple[str, ...]
    signature: str
    seconds: float
    kept: int  # how many were known before


def headlines_of(texts: Sequence[str], generator: str, runtime: Runtime, *, step: str = "") -> Generated:
    recipe = headline_generators.parse(generator)
    signature = headline_generators.signature(recipe)
    recipe.check()
    key = f"{fingerprint_of(signature, recipe)} {GenerationOptions()!r} {runtime.seed}"
    file = runtime.cache / FOLDER / f"{digest(key, digits=32)}.jsonl"
    known = _read(file)
    marks = [digest(text, digits=24) for text in texts]
    missing = [row for row, mark in enumerate(marks) if mark not in known]
    cached = len(texts) - len(missing)
    if missing:
        loaded = recipe.build(runtime)
        name = step or headline_generators.name_of(recipe)
        for start in range(0, len(missing), AT_ONCE):
            rows = missing[start : start + AT_ONCE]
            runtime.report(name, cached + start, len(texts))
            began = time.perf_counter()
            own = replace(runtime.quietly(), used={})
            written = loaded.write([texts[row] for row in rows], GenerationOptions(), own)
            each = (time.perf_counter() - began) / len(rows)
            cost = {name: whole / len(rows) for name, whole in costs.total(own.used.values()).items()}
            lines = []
            for row, candidates in zip(rows, written, strict=True):
                known[marks[row]] = candidates[0].text, each, cost
                line = {"article": marks[row], "headline": candidates[0].text, "seconds": round(each, 6)}
                lines.append(json.dumps(line | ({"cost": cost} if cost else {})) + "\n")
            with suppress(DataSourceError):
                files.make_folder(file.parent)
                files.append(file, "".join(lines).encode(), durable=False)
        runtime.report(name, len(texts), len(texts))
    parts = (
        *weights_signature(recipe),
        *numbers_signature(runtime, recipe),
        *answers_signature(runtime, recipe),
    )
    signature = " · ".join([signature, *parts])
    headlines, seconds, paid = zip(*(known[mark] for mark in marks), strict=True) if marks else ((), (), ())
    runtime.used.update({mark: cost for mark, cost in zip(marks, paid, strict=True) if cost})
    return Generated(headlines, signature, sum(seconds), cached)


def _read(file: Path) -> dict[str, _Known]:
    known, lines = dict[str, _Known](), list[str]()
    with suppress(OSError):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            entry: Any = json.loads(line)
            written = str(entry["headline"]), float(entry["seconds"]), dict(entry.get("cost", {}))
            known[str(entry["article"])] = written
    return known
