"""What Pairs draws."""
