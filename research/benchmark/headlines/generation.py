"""Headlines of a generator, kept on disk article by article: what was written once is never written again."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core import files
from core.errors import DataSourceError
from core.headlines.generator import Wishes, headline_generators
from core.models.networks.precision import numbers_told
from core.models.weights import weights_told
from core.pairs.scoring.fingerprints import fingerprint_of
from core.runtime import Runtime

FOLDER: Final = "written_headlines"
AT_ONCE: Final = 32
"""Articles that go to the generator at once; after these the headlines are on disk."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generator wrote.

    Attributes:
        headlines: Of each article, in their order.
        signature: Of the generator, with all its settings, and its weights.
        seconds: That writing took, added up over the articles, loading left out; of the machine that wrote.
        kept: How many came from the disk.
    """

    headlines: tuple[str, ...]
    signature: str
    seconds: float
    kept: int


def headlines_of(texts: Sequence[str], generator: str, runtime: Runtime, *, step: str = "") -> Generated:
    """One headline an article, from the disk where they are known.

    They are stored by generator, its code and weights, seed and article, so a run that was stopped resumes,
    and what a sample wrote is there for the whole.
    """
    recipe = headline_generators.parse(generator)
    signature = headline_generators.signature(recipe)
    recipe.check()
    file = runtime.cache / FOLDER / f"{_key(signature, recipe, runtime.seed)}.jsonl"
    known = _read(file)
    marks = [_mark(text) for text in texts]
    missing = [row for row, mark in enumerate(marks) if mark not in known]
    kept = len(texts) - len(missing)
    if missing:
        loaded = recipe.build(runtime)
        name = step or headline_generators.name_of(recipe)
        for start in range(0, len(missing), AT_ONCE):
            rows = missing[start : start + AT_ONCE]
            runtime.report(name, kept + start, len(texts))
            began = time.perf_counter()
            found = loaded.write([texts[row] for row in rows], Wishes(), runtime.quietly())
            each = (time.perf_counter() - began) / len(rows)
            written = {marks[row]: (one[0].text, each) for row, one in zip(rows, found, strict=True)}
            known |= written
            _append(file, written)
        runtime.report(name, len(texts), len(texts))
    return Generated(
        headlines=tuple(known[mark][0] for mark in marks),
        signature=" · ".join([signature, *weights_told(recipe), *numbers_told(runtime, recipe)]),
        seconds=sum(known[mark][1] for mark in marks),
        kept=kept,
    )


def _key(signature: str, recipe: object, seed: int) -> str:
    fingerprint = fingerprint_of(signature, recipe)
    return hashlib.sha256(f"{fingerprint} {Wishes()!r} {seed}".encode()).hexdigest()[:32]


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:24]


def _read(file: Path) -> dict[str, tuple[str, float]]:
    known: dict[str, tuple[str, float]] = {}
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return known
    for line in lines:
        try:
            told: Any = json.loads(line)
            known[str(told["article"])] = (str(told["headline"]), float(told["seconds"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return known


def _append(file: Path, written: dict[str, tuple[str, float]]) -> None:
    lines = [
        json.dumps({"article": mark, "headline": headline, "seconds": round(seconds, 6)}) + "\n"
        for mark, (headline, seconds) in written.items()
    ]
    with suppress(DataSourceError):
        files.make_folder(file.parent)
        files.append(file, "".join(lines).encode(), durable=False)
