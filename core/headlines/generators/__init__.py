"""Generators of headlines: sentences of the article, language models, and what candidates agree on."""
