"""Inference package of Headline Lab: no Streamlit, no printing.

Public: `arrays` (Float32Array, IntArray), `catalogue` (methods, registries), `errors` (CoreError,
InputError), `files` (write), `registry` (BROUGHT, Registry), `runtime` (Runtime)."""

__version__ = "0.1.0"
