"""What changes when a scorer would answer otherwise: its code, and the weights that it names."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core.encoders.encoder import encoders
from core.errors import CoreError
from core.pairs.scorer import PairScorer, pair_scorers
from core.pairs.trained_head import head_folder
from core.weights.locate import locate
from core.weights.shipped import SHIPPED

_CODE: Final = (
    *("core.pairs", "core.text", "core.networks", "core.language_models"),
    *("core.headlines", "core.metrics.headlines", "core.numerals"),
)
_WEIGHTS: Final = ("*.safetensors", "*.cbm", "*.json", "*.gguf", "*.npz", "*.bin")


def scorer_fingerprint(scorer: PairScorer, *, encoder: str = "") -> str:
    """32 hex digits over signature, code and weights, those of scorers inside and of base models included.

    Weights count by name, size and time of change, which costs no reading. What a pinned package carries
    does not change while its version stays.

    Args:
        scorer: Any scorer; what is not on this machine counts for nothing.
        encoder: Signature of the encoder that gives it vectors; "" for none, or for one that ships.
    """
    parts = [pair_scorers.signature(scorer), *(str(mark) for mark in _marks(scorer))]
    if encoder:
        parts.append(encoders.parse(encoder).identify().fingerprint)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def recipe_fingerprint(signature: str, recipe: object) -> str:
    """32 hex digits over signature, code and weights of a headline generator or headline metric.

    Weights are the files of its `folder`, where it has one, and of the folders that its fields name; they
    count by name, size and time of change. Recipes that it holds in `inside` count as it does.

    Args:
        signature: With all parameters.
        recipe: What it stands for.
    """
    parts = [signature, *_parts(recipe)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _parts(recipe: object) -> Iterator[str]:
    """Code and weights of a recipe and of those inside it."""
    described: Any = recipe
    named = [getattr(described, field.name) for field in fields(described)]
    # A signature names no folder, and a long one is no name that a disk takes.
    words = [one for one in named if isinstance(one, str) and one and "|" not in one]
    folders = [folder for one in words for folder in _folders(one)]
    own = getattr(recipe, "folder", None)
    folders += [own] if isinstance(own, Path) and own.is_dir() else []
    yield _code(type(recipe).__module__)
    for folder in folders:
        yield from (str(_mark(file)) for file in sorted(folder.iterdir()) if file.is_file())
    for inner in getattr(recipe, "inside", ()):
        yield from _parts(inner)


def _folders(model: str) -> list[Path]:
    """Where a model by that name may lie: among those that ship, as a folder, or in the hub's cache."""
    shipped, own = SHIPPED / model, Path(model).expanduser()
    found = [folder for folder in (shipped, own) if folder.is_dir()]
    if not found:
        with suppress(CoreError):
            found = [locate(model)]
    return found


def _marks(scorer: PairScorer) -> Iterator[object]:
    yield _code(type(scorer).__module__)
    recipe: Any = scorer
    for field in fields(recipe):
        value = getattr(recipe, field.name)
        if not isinstance(value, str) or not value:
            continue
        inner = _scorer(value) if field.name == "base" else None
        if inner is not None:
            yield from _marks(inner)
        else:
            yield from _files(value)


def _scorer(base: str) -> PairScorer | None:
    """The scorer inside a wrapper; None where `base` names something else, as networks do."""
    try:
        return pair_scorers.parse(base)
    except CoreError:
        return None


def _files(model: str) -> Iterator[object]:
    """Name, size and time of each file of a model, and of the one that it was made from."""
    path = Path(model).expanduser()
    if path.is_file():
        yield _mark(path)
        return
    for find in (head_folder, locate):
        try:
            folder = find(model)
        except CoreError:
            continue
        yield from map(_mark, sorted(file for pattern in _WEIGHTS for file in folder.glob(pattern)))
        base = _base(folder)
        if base and base != model:
            yield from _files(base)
        return


def _mark(file: Path) -> tuple[str, int, int]:
    about = file.stat()
    return file.name, about.st_size, about.st_mtime_ns


def _base(folder: Path) -> str:
    """The model that the low-rank updates or the head in a folder stand on; "" for none."""
    try:
        told = json.loads((folder / "pair_model.json").read_text(encoding="utf-8"))
        return str(told["base"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


@lru_cache(maxsize=128)
def _code(module: str) -> str:
    """Digest of a module's source and of all that it imports from the rooms that make scores."""
    seen: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        spec = importlib.util.find_spec(name) if name not in seen else None
        if spec is None or spec.origin is None:
            continue
        seen[name] = Path(spec.origin).read_bytes()
        waiting += [found for found in _imported(seen[name]) if found.startswith(_CODE)]
    return hashlib.sha256(b"".join(seen[name] for name in sorted(seen))).hexdigest()


def _imported(source: bytes) -> Iterator[str]:
    """Names of the modules that a module imports anywhere, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
