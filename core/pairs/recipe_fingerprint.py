"""When the results of a recipe change: its signature, the code that it runs and its weights."""

from contextlib import suppress
from typing import Final

from core.digests import code_digest, digest
from core.errors import ModelUnavailableError
from core.models.weights import everything_inside, weights_signature

_CODE: Final = (
    *("core.pairs", "core.text", "core.models.networks", "core.models.language_models"),
    *("core.headlines", "core.headlines.metrics", "core.numerals"),
)


def fingerprint_of(signature: str, *recipes: object) -> str:
    """32 hex digits over a signature, and code and weights (if here) of recipes and what is inside them."""
    modules = (type(recipe).__module__ for recipe in everything_inside(*recipes))
    parts = [signature, *(code_digest(module, within=_CODE) for module in modules)]
    for recipe in recipes:
        with suppress(ModelUnavailableError):
            parts += weights_signature(recipe)
    return digest(*parts, digits=32)
