"""Kinds of everyday arithmetic, by subject; `core.numerals.claims.arithmetic` puts them together."""
