"""Trainers on labelled pairs, and the pairs of a run."""
