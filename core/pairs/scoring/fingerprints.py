"""What changes when a method would answer otherwise: its code, and its weights."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from core.digests import code_digest, digest
from core.errors import ModelUnavailableError
from core.models.weights import everything_inside, weights_told

_CODE: Final = (
    *("core.pairs", "core.text", "core.models.networks", "core.models.language_models"),
    *("core.headlines", "core.headlines.metrics", "core.numerals"),
)


def fingerprint_of(signature: str, *recipes: object) -> str:
    """32 hex digits over a signature, and the code and weights of recipes and of those inside them.

    Weights count by their whole content (`core.models.weights.files`); those of a recipe that are
    not all on this machine count for nothing.
    """
    parts = [
        signature,
        *(code_digest(type(recipe).__module__, within=_CODE) for recipe in everything_inside(*recipes)),
    ]
    for recipe in recipes:
        with suppress(ModelUnavailableError):
            parts += weights_told(recipe)
    return digest(*parts, digits=32)
