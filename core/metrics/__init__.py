"""Measures of groups."""
