"""Training that can be watched, stopped and taken up again, whatever is trained."""
