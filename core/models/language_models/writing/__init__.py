"""Writing with causal language models: many texts at once, each prefix read once."""
