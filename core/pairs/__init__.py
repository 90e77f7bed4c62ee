"""Candidate pairs and pair scorers, one file a method."""
