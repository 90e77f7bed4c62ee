"""What Evaluate draws."""
