"""What is timed and measured, against whom; `make bench` runs all of it."""
