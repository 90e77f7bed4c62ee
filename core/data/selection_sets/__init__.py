"""Pairs of headlines of which people said which is the better one, to train and measure selectors on."""
