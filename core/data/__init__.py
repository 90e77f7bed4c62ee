"""Timelines, articles, pair sets and selection sets, and files of other annotation tools."""
