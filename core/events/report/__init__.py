"""The HTML report and the bundle, from plain data."""
