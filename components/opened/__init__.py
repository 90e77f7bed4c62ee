"""What is open, and how it is looked at."""
