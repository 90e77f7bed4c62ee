"""Whether a number may be printed: what it counts and what is said of it, not only that it is there."""
