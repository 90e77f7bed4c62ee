"""What the numeral models learn from, and their trainers."""
