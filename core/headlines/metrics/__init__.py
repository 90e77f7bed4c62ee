"""Metrics of written headlines, one file a metric."""
