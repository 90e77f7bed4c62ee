"""Whether code has changed: a digest over a module and all of ours that it imports."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=128)
def code_digest(module: str, *, within: tuple[str, ...]) -> str:
    """64 hex digits over a module's source and that of all it imports, with the tables (TOML) next to them.

    Args:
        module: Its name.
        within: Beginnings of the names of modules that count.
    """
    seen: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        spec = importlib.util.find_spec(name) if name not in seen else None
        if spec is None or spec.origin is None:
            continue
        source = Path(spec.origin)
        waiting += [found for found in _imported(source.read_bytes()) if found.startswith(within)]
        tables = source.parent.glob("*.toml")
        seen[name] = b"".join(file.read_bytes() for file in (source, *sorted(tables)))
    return hashlib.sha256(b"".join(seen[name] for name in sorted(seen))).hexdigest()


def _imported(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
