"""Labelled pairs of headlines to train and measure scorers on, by how they were made."""
