"""What the Pairs page draws."""
