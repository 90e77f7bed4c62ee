"""What errors say: no name of the code's own stands in a sentence that a person reads."""

import ast
import re

from core.files import ROOT

PACKAGES = ("core", "research", "components", "pages", "cli", "headline_lab")
QUOTED = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”')
"""What a person types, or finds in a file, stands between backticks or quotes."""
IDENTIFIER = re.compile(r"\b[^\W_]+_\w*[^\W_]\b")
ENVIRONMENT = re.compile(r"[A-Z_]+")
"""Variables of the environment, and places for a value: a person writes them as they stand."""


def written(node, texts):
    """The words of an expression, with "…" for what only the run knows."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(written(part, texts) for part in parts)
        case ast.FormattedValue(value=value) | ast.Starred(value=value):
            return written(value, texts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return written(left, texts) + written(right, texts)
        case ast.IfExp(body=first, orelse=other):
            return f"{written(first, texts)} {written(other, texts)}"
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts):
            return " ".join(written(part, texts) for part in parts)
        case ast.Name(id=name):
            return texts.get(name, "…")
    return "…"


def called(call):
    """Name of what is called, without what it is a part of."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def messages():
    """Place and words of every message and hint of every `CoreError` that is made in the tree."""
    trees = {
        f"{file.relative_to(ROOT)}": ast.parse(file.read_text(encoding="utf-8"))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
    }
    nodes = [(place, node) for place, tree in trees.items() for node in ast.walk(tree)]
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for _, node in nodes
        if isinstance(node, ast.ClassDef)
    }
    errors = {"CoreError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    texts: dict[str, dict[str, str]] = {place: {} for place in trees}
    for place, node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            texts[place][name] = f"{texts[place].get(name, '')} {written(node.value, {})}"
    for place, node in nodes:
        own = isinstance(node, ast.ClassDef) and node.name in errors
        for call in ast.walk(node) if own else (node,):
            if isinstance(call, ast.Call) and called(call) in ({"__init__"} if own else errors):
                for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                    yield f"{place}:{value.lineno}", written(value, texts[place])


def test_no_message_or_hint_has_a_name_of_the_code():
    said = list(messages())
    assert len({place for place, _ in said}) > 500
    assert any("nothing that you had is lost" in text for _, text in said)
    identifiers = [
        f"{place}: {word}"
        for place, text in said
        for word in IDENTIFIER.findall(QUOTED.sub("", text))
        if not ENVIRONMENT.fullmatch(word)
    ]
    assert not identifiers
