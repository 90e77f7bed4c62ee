"""Any file, read and shown before anything is computed."""
