"""Constants of a file stand before its code."""

import ast
from itertools import dropwhile

from core.files import ROOT
from tests.contract.test_no_circles import PACKAGES

CODE = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def mentioned(node):
    """Names in a statement, also in quoted types."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def late(text):
    """Names assigned after the first function or class of a module that are made of none of these."""
    body = ast.parse(text).body
    made = {node.name for node in body if isinstance(node, CODE)}
    for node in dropwhile(lambda node: not isinstance(node, CODE), body):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        names = {part.id for part in getattr(target, "elts", [target]) if isinstance(part, ast.Name)}
        if made.isdisjoint(mentioned(node)):
            yield from names
        else:
            made |= names


def test_late_constants_are_found():
    assert [*late("def f(): ...\nA = 1\nB = f()\nC = B\nD: int = A")] == ["A", "D"]
    assert [*late('A = 1\nclass C: ...\nA[0] = 1\nL = list["C"]\nM = L\nN = lambda: g()\ndef g(): ...')] == []


def test_constants_stand_before_the_code_of_a_file():
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): [*late(path.read_bytes())] for path in files}
    assert {name: names for name, names in found.items() if names} == {}
