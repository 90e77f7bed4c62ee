"""Attachment by the words around numerals, without a network."""
