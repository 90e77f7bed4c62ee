"""Trainers of headline generators, one file a method."""
