"""Kinds of everyday arithmetic, by subject; `core.numerals.claims.changes` puts them together."""
