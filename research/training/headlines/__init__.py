"""Trainers of headline generators and of selectors."""
