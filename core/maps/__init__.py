"""Vectors → two dimensions, one file a method."""
