"""Labelled pairs of headlines to train and measure scorers on, one source a file."""
