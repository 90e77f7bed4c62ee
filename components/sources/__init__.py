"""Sources: files, feeds and archives."""
