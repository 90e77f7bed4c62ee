"""The Consistency page: where a pair model contradicts itself, and what repairs it."""
