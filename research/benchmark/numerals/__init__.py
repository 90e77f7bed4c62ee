"""The benchmark of numerals: derivations ranked, support found, wrong numbers flagged, blanks filled."""
