"""Text by rules and tables: normalising, tokens, languages, numerals, claims, differences, support.

Public: `language` (language_of), `numerals.read` (read_numerals), `reading` (reads), `tokens` (content,
tokenize)."""
