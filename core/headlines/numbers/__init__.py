"""Systems compared by the numerals of their headlines."""
