"""Files of this part."""
