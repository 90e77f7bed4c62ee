"""Ways in which a number can come from an article: what there is, and what speaks for each."""
