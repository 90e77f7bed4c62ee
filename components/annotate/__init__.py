"""What the Annotate page draws."""
