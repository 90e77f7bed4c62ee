"""Numerals: reading them, deriving them from an article, and saying whether a headline's are supported."""
