"""The consistency lab: both orders of all pairs, tests, repairs with what they cost, studies, suites."""
