"""How far people agree: votes, groups, and the answers that follow from many votes."""
