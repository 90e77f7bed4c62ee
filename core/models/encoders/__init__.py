"""Text → vectors, one file a method."""
