"""The list of events, the card of one, and what is drawn beside them."""
