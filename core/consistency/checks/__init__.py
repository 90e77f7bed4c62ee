"""Small changes to a headline that must not change a decision, or must: what a check is, and all families."""
