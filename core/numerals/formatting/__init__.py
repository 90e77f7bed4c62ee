"""Writing values as numerals of a language: digits, words, and what stands around them."""
