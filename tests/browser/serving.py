"""A running app: its address while it lives, started as a user starts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.browser import ROOT, running

__all__ = ["ROOT", "made"]


@contextmanager
def made(folder: Path, tree: Path = ROOT) -> Iterator[str]:
    """Address of the app that `make run` starts in a tree, with a cache and user folder of its own."""
    with running(["make", "run"], folder, tree=tree) as (url, _):
        yield url
