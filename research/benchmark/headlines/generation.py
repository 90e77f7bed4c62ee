"""Headlines of a generator, kept on disk article by article: what was written once is never written again."""

import json
import math
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from core import files
from core.digests import digest
from core.errors import DataSourceError, ModelUnavailableError, UnknownNameError
from core.headlines.generator import FILE, GenerationOptions, headline_generators
from core.headlines.writing import system_name
from core.models.networks.batches import numbers_told
from core.models.weights import shipped_or_own, weights_told
from core.pairs.scoring import fingerprint_of
from core.runtime import Runtime
from research.benchmark.results import BenchmarkSystem

FOLDER: Final = "written_headlines"
AT_ONCE: Final = 32  # articles that go to the generator at once; after these the headlines are on disk


class Generated(NamedTuple):
    headlines: tuple[str, ...]
    signature: str
    seconds: float
    kept: int  # how many were known before


def headlines_of(texts: Sequence[str], generator: str, runtime: Runtime, *, step: str = "") -> Generated:
    """One headline an article, from the disk where they are known."""
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
            written = loaded.write([texts[row] for row in rows], GenerationOptions(), runtime.quietly())
            each = (time.perf_counter() - began) / len(rows)
            lines = []
            for row, candidates in zip(rows, written, strict=True):
                known[marks[row]] = candidates[0].text, each
                line = {"article": marks[row], "headline": candidates[0].text, "seconds": round(each, 6)}
                lines.append(json.dumps(line) + "\n")
            with suppress(DataSourceError):
                files.make_folder(file.parent)
                files.append(file, "".join(lines).encode(), durable=False)
        runtime.report(name, len(texts), len(texts))
    return Generated(
        headlines=tuple(known[mark][0] for mark in marks),
        signature=" · ".join([signature, *weights_told(recipe), *numbers_told(runtime, recipe)]),
        seconds=sum(known[mark][1] for mark in marks),
        kept=cached,
    )


def _read(file: Path) -> dict[str, tuple[str, float]]:
    """Headlines and seconds by articles; lines that were cut off are passed over."""
    known, lines = dict[str, tuple[str, float]](), list[str]()
    with suppress(OSError):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            entry: Any = json.loads(line)
            known[str(entry["article"])] = (str(entry["headline"]), float(entry["seconds"]))
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    folder: str
    parameters: int = 0
    seconds: float | None = None
    device: str = ""
    language: str = ""
    chosen_on: str = ""
    started_from: str = ""


def model_facts(recipe: object) -> ModelFacts | None:
    """The facts of a recipe's folder, or of the one that its fields name; None where there is none."""
    folder = _folder(recipe)
    if folder is None:
        return None
    card = ""
    with suppress(OSError):
        card = (folder / "README.md").read_text(encoding="utf-8", errors="replace")
    settings = re.findall(r"^\s*\| ([^|\n]+) \| ([^|\n]+) \|\s*$", card, re.MULTILINE)
    run = _json(folder.parent / "run.json").items()
    facts = {
        **{name.strip(): value.strip() for name, value in settings},
        **{name.replace("_", " "): str(value) for name, value in run if isinstance(value, (int, str))},
    }
    start = re.search(r"\|start_from:([^|\s]+)\|", card.replace("\\|", "|"))
    language = _json(folder / FILE).get("language")
    seconds, best = facts.get("seconds", "").replace(",", ""), facts.get("best step", "")
    by = f" ({facts['best by']})" if facts.get("best by") else ""
    chosen = f"validation{by}, step {best} of {facts.get('steps done') or facts.get('steps') or '?'}"
    return ModelFacts(
        folder=folder.name,
        parameters=sum(map(_numbers, sorted(folder.glob("*.safetensors")))),
        seconds=float(seconds) if re.fullmatch(r"\d+(\.\d+)?", seconds) else None,
        device=facts.get("device", ""),
        language=language if isinstance(language, str) and re.fullmatch("[a-z]{2}", language) else "",
        chosen_on=chosen if best else "",
        started_from=Path(start[1]).name if start else "",
    )


def _folder(recipe: object) -> Path | None:
    described: Any = recipe
    own = getattr(recipe, "folder", None)
    if isinstance(own, Path):
        return own if own.is_dir() else None
    for field in fields(described):
        value = getattr(described, field.name)
        if not isinstance(value, str) or not value or "|" in value:
            continue
        with suppress(ModelUnavailableError):
            folder = shipped_or_own(value)
            if folder and next(folder.glob("*.safetensors"), None) is not None:
                return folder
    return None


def _json(path: Path) -> dict[str, Any]:
    try:
        with path.open(encoding="utf-8") as file:
            plain = json.loads(file.read(4 << 20))
    except (OSError, ValueError, RecursionError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _numbers(file: Path) -> int:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as opened:
            return sum(math.prod(opened.get_slice(name).get_shape()) for name in opened.keys())  # noqa: SIM118
    except (OSError, SafetensorError):
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSystem(BenchmarkSystem):
    """One system; parameters that its signature leaves out take their defaults."""

    kind: str
    predictions: str = ""
    languages: tuple[str, ...] = ()  # ISO 639-1 codes it writes; empty for what its generator or model says
    trained: bool = False  # its weights were fitted to articles
    base_parameters: int = 0
    hub: bool = False
    chosen_on: str = ""
    model: ModelFacts | None = None


BASELINE: Final = "first_sentence"  # the row that every other is tested against
ROWS: Final = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, tuple[HeadlineSystem, ...]]
)["systems"]


def row(key: str) -> HeadlineSystem:
    """The row of that key, or a row of its own for a generator's name or signature."""
    wanted = system_name(key.strip())
    known = {system.key: system for system in ROWS}
    if wanted in known:
        return known[wanted]
    try:
        signature = headline_generators.signature(headline_generators.parse(wanted))
    except UnknownNameError:
        raise UnknownNameError(
            f"There is no row and no headline generator called {key!r}.",
            hint=f"Choose one of: {', '.join(known)}.",
        ) from None
    return HeadlineSystem(
        key=signature, name=signature.partition("|")[0], kind="asked for", signature=signature, trained=True
    )
