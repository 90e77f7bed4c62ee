"""The language model that reads whether an article supports what a headline says of a number."""
