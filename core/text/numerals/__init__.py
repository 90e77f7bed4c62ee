"""Reading numerals, one file a language beside what they share."""
