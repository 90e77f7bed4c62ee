"""A fault put into each reading, as a bug in it would be: it fails for every text that has a word."""

import importlib

WORD = "Zerbrochen"
READINGS = {
    "core.text.tokens._matches": "words",
    "core.text.numerals.read.cut": "numbers",
    "core.text.numerals.quantities._quantity": "numbers",
    "core.text.names.is_sentence_case": "names",
    "core.text.facts._change": "facts",
    "core.text.numerals.languages._own_words": "language",
    "core.text.language.clean_line": "language",
}
"""What is called while a text is read, and what is lost where it fails."""


def broken(monkeypatch, place):
    """Has a function fail where a text, or a list of its words, has the word."""
    module, _, name = place.rpartition(".")
    owner = importlib.import_module(module)
    real = getattr(owner, name)

    def failing(*args, **kwargs):
        if WORD.casefold() in str(args).casefold():
            raise IndexError("string index out of range")
        return real(*args, **kwargs)

    monkeypatch.setattr(owner, name, failing)
