"""Where a pair model contradicts itself, and what repairs it."""
