"""What two headlines of one timeline have in common, as numbers: one family of features a file."""
