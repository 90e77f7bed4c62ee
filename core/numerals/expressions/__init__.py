"""NumHG's operator expressions: parsing, printing, executing and validating them."""
