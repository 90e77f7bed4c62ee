"""Groups against gold groups."""
