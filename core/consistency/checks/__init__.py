"""Small changes to a headline that must not change a decision, or must; one file a family."""
