"""Causal language models: how likely a text is, alone or after another, and what they write."""
