"""What Annotate draws."""
