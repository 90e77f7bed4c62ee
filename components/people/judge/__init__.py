"""Annotating, judging, and how far people agree."""
