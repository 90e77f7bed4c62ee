"""Addresses of articles: the headlines that they hold, and archives that know what stood at them."""
