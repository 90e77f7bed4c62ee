"""The map of headlines."""
