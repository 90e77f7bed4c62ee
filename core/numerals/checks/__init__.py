"""Headlines checked against their articles: verdicts, blanks, faults, exports."""
