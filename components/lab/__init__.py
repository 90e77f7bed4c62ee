"""Lab: benchmark, consistency, models."""
