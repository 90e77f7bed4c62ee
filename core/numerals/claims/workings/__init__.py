"""Kinds of everyday arithmetic, by subject; `core.numerals.claims.amounts` puts them together."""
