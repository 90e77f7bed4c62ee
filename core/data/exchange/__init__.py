"""Answers in the files of other annotation tools."""
