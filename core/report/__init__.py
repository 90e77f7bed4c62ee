"""Results → pictures, one self-contained HTML page, and a bundle that can be rebuilt."""
