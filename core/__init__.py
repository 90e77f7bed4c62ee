"""Inference package of Headline Lab: no Streamlit, no printing.

Public: `arrays` (Float32Array, IntArray), `catalogue` (methods, registries), `errors` (CoreError,
InputError), `files` (write), `registry` (BROUGHT, Registry), `runtime` (Runtime)."""

from typing import Final

__version__ = "1.0.0"
ABOVE: Final = __name__.removesuffix("core")
"""What stands before the names of our packages: "" in a checkout, "headline_lab." in a wheel (setup.py)."""
