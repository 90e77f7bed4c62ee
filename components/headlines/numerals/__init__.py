"""The numbers of headlines."""
