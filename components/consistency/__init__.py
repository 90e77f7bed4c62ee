"""What the Consistency page draws."""
