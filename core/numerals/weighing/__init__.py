"""Trees that rank the derivations of a number and the answers for a blank, by their features."""
