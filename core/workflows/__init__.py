"""The only place that joins rooms."""
