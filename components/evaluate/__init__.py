"""What the Evaluate page draws."""
