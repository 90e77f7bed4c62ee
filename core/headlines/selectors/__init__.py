"""Selectors of the best headline of a group, one file a method."""
