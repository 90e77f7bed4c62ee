"""The benchmark of headline generators: every system of the papers and ours, on the available sets."""
