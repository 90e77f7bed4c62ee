"""Headlines judged by people: what is judged, the paper's table, downloads."""
