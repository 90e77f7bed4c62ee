"""Everything that is registered or can be trained."""
