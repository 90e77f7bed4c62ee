"""Tasks: data, systems, metrics and seeds in a file, run into a folder that holds every table of it."""
