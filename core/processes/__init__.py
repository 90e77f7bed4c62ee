"""Work in other processes: on portions of a whole, or apart within bounds of memory and time."""
