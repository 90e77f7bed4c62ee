"""What can be trained, and the runs that do it."""
