"""Checking, filling and scoring numerals of many headlines."""
