"""Selectors of headlines: by one number, by rules, by ranks of others, by trained trees."""
