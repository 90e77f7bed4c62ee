"""Labelled pairs: what there is, and new sets built of timelines."""
