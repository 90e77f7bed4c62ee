"""Text for LaTeX."""

from __future__ import annotations

from core.results.text import clean

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def escape_latex(text: str) -> str:
    """The text on one line, with every sign that LaTeX would read as a command made harmless."""
    return "".join(_SIGNS.get(sign, sign) for sign in clean(text))
