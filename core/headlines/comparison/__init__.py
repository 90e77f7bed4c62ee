"""Systems side by side on the same articles: metrics, intervals, significance, where they differ."""
