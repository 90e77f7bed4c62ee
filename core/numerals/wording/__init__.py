"""What the words around numerals say about what belongs where, without a network."""
