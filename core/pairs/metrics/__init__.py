"""Scores of pairs against labels, with intervals."""
