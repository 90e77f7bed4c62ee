"""Low-rank updates of a frozen language model."""
