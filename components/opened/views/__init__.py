"""What each page shows, as its address and its session say it."""
