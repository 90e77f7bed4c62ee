"""Classifiers that read both headlines of a pair at once: what they are, how they are trained and run.

`config` says what a pair model is, `tokens` makes its input, `model` is the network that can be
trained, `folders` writes and reads it, `inference` runs it fast.
"""
