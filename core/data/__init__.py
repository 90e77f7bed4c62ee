"""Timelines, articles, pair sets and selection sets: one file a format or a source."""
