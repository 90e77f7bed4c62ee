"""Attachers, one file a method."""
