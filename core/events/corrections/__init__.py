"""What people correct in the events of a timeline: stored, applied at every grouping, exchanged."""
