"""Classifiers that read both headlines of a pair at once: their input, their network, how it runs fast."""
