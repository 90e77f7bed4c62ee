"""What the Compare page draws."""
