"""Pairs of a set or a timeline, scored by any scorer."""
