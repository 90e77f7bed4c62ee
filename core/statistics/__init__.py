"""Chance: bootstrap intervals, the paired test that belongs to them, and its correction.

Public: `bootstrap` (Figure, bootstrap_sums, holm, paired_bootstrap)."""
