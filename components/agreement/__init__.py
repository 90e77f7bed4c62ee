"""What the Agreement page draws."""
