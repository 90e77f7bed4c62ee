"""What made weights that ship and that no command trains; each runs as a module."""
