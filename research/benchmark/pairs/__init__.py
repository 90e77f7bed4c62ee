"""The benchmark of pair scorers: the HLGD paper's table beside what runs here, set by set."""
