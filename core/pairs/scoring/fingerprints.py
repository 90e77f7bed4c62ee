"""What changes when a method would answer otherwise: its code, and its weights."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.errors import ModelUnavailableError
from core.models.weights import everything_inside, weights_told

_CODE: Final = (
    *("core.pairs", "core.text", "core.models.networks", "core.models.language_models"),
    *("core.headlines", "core.headlines.metrics", "core.numerals"),
)


def fingerprint_of(signature: str, *recipes: object) -> str:
    """32 hex digits over a signature, and the code and weights of recipes and of those inside them.

    Weights count by their whole content (`core.models.weights.taking_part`); those of a recipe that are
    not all on this machine count for nothing.

    Args:
        signature: With all parameters.
        recipes: What it stands for: a scorer with its encoder, a headline generator, a metric.
    """
    parts = [signature, *(_code(type(one).__module__) for one in everything_inside(*recipes))]
    for one in recipes:
        with suppress(ModelUnavailableError):
            parts += weights_told(one)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


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
