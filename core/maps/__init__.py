"""Vectors to two dimensions: the methods, and the names that stand on a map.

Public: `projector` (Projector, projectors)."""
