"""Derivations of a number from an article: all candidates, and the features that rank them."""
