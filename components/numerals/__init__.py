"""What Check numbers draws."""
