"""Scored pairs → groups, one file a method."""
