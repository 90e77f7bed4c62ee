"""Figures, drawn with Plotly; every one has a table twin on its page."""
