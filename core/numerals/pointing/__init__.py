"""The network that points from a blank of a headline to the article's numerals."""
