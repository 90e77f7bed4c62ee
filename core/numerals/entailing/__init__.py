"""The network that reads whether sentences of an article support what a headline says of a number."""
