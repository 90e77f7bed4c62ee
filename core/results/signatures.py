"""Signatures of many figures beside one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""


def latex_signatures(signed: Iterable[tuple[str, str]]) -> list[str]:
    """One comment line of LaTeX for each name and its signature."""
    return [f"% {' '.join(f'{name}: {signature}'.split())}" for name, signature in signed]
