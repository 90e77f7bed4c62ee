"""Causal language models: how likely is a text, alone or after another."""
