"""Streams of headlines: what is new, what grows, what changed, the log, and following."""
