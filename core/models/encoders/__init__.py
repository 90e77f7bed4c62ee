"""Text to vectors: what an encoder is, any that transformers loads, and those of installed packages."""
