"""Headlines suggested for a group or an article."""
