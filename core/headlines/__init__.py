"""Writing headlines for articles, and choosing among headlines of one event."""
