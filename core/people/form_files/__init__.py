"""Forms that ship, a file each."""
