"""Ways to make decisions consistent, one file a method."""
