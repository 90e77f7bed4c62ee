"""A running app: its address while it lives, started as a user starts it."""

from contextlib import contextmanager

from benchmarks.browser import ROOT, running

__all__ = ["ROOT", "made"]


@contextmanager
def made(folder, tree=ROOT):
    """Address of the app that `make run` starts in a tree, with a cache and user folder of its own."""
    with running(["make", "run"], folder, tree=tree) as (url, _):
        yield url
