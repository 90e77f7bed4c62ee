"""Text by rules and tables: normalising, tokens, languages, numerals, claims, differences, support."""
