"""What the Numerals page draws."""
