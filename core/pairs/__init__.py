"""Candidate pairs, what a pair scorer is, the scorers by kind, and how good scores are."""
