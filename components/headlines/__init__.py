"""Headlines: write, check numbers, compare."""
