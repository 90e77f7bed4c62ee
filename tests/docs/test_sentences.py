"""What pages and cards say is short: the sentences in the code of the app, counted."""

import ast
import re

from tests.docs.pages import ROOT

AVERAGE, LONGEST = 14, 20
"""Words of a sentence."""
NO_WORDS = re.compile(r":material/\w+:|<[^>]+>|:\w+\[|[*\]]")


def strings(tree):
    """Texts of the code, without what documents it; what is put into one counts as a word."""
    documents = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents | parts:
            yield node.value


def sentences():
    for file in sorted([*(ROOT / "pages").rglob("*.py"), *(ROOT / "components").rglob("*.py")]):
        for text in strings(ast.parse(file.read_text(encoding="utf-8"))):
            plain = " ".join(NO_WORDS.sub(" ", text).split())
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z“`])", plain):
                if re.search(r"[a-z)”][.?!:]$", sentence) and len(sentence.split()) > 3:
                    yield file.name, sentence


def test_sentences_on_the_screen_are_short():
    lengths = {sentence: len(sentence.split()) for _, sentence in sentences()}
    assert len(lengths) > 300
    assert sum(lengths.values()) / len(lengths) <= AVERAGE
    assert {sentence: count for sentence, count in lengths.items() if count > LONGEST} == {}
