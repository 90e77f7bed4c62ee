"""Text without meaning yet: normalising, tokens, language, words that carry numbers."""
