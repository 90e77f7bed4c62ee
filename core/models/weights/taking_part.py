"""Which files of weights take part in a result, as its signature says it.

A recipe that reads weights says so in two properties, and needs neither where it reads none:

- `weights`: the files and folders that it reads itself;
- `inside`: the recipes that it is made of, whose weights count as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.models.weights.files import fingerprint


def weights_of(*recipes: object) -> tuple[Path, ...]:
    """Files and folders that recipes and those inside them read, each once, in a fixed order.

    Raises:
        ModelUnavailableError: Some are not on this machine.
    """
    return tuple(dict.fromkeys(path for recipe in recipes for path in _read_by(recipe)))


def weights_told(*recipes: object) -> tuple[str, ...]:
    """The part of a signature that stands for all weights, "weights:" and 16 hex digits; () for none.

    Names and whole content of all files count, and the order of the recipes; where the files lie does not.

    Raises:
        ModelUnavailableError: Some are not on this machine.
    """
    files = weights_of(*recipes)
    return (f"weights:{fingerprint(*files)}",) if files else ()


def everything_inside(*recipes: object) -> Iterator[object]:
    """Recipes, each followed by those inside it."""
    for recipe in recipes:
        yield recipe
        yield from everything_inside(*getattr(recipe, "inside", ()))


def _read_by(recipe: object) -> Iterator[Path]:
    for one in everything_inside(recipe):
        yield from getattr(one, "weights", ())
