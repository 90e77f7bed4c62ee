"""Generators of headlines, one file a method."""
