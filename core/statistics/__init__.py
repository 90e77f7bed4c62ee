"""Chance: bootstrap intervals, the paired test that belongs to them, and its correction."""
