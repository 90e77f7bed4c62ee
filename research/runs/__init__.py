"""Training that can be watched, stopped and resumed, whatever is trained."""
