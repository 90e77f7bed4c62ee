"""How large a study must be to find a difference, and what a finished study could have found."""
