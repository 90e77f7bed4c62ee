"""Tables and their renderers."""
