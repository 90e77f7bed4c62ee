"""A study: set up, taken part in, and run."""
