"""What Agreement draws."""
