"""What leads through all pages."""
