"""People: annotate, judge, vote."""
