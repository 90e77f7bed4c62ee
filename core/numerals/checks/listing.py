"""Candidate headlines with their lights, in lines for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from core.numerals.checks.lights import counted, fault_of, light_of, quote, sign_of, verdict_of, word_of
from core.numerals.checks.verdicts import HEADLINE, PLAIN, SOURCE, VerdictLine
from core.numerals.provenance import CheckedHeadline

_INDENT: Final = "    "


def candidate_lines(checked: Sequence[CheckedHeadline], *, width: int = 100) -> list[VerdictLine]:
    """Each headline with its light, the reason, and the line of the article that decides."""
    lines = [line for one in checked for line in _lines(one, width)]
    return [*lines, VerdictLine(PLAIN, f"{counted([light_of(one) for one in checked])}.")]


def _lines(checked: CheckedHeadline, width: int) -> Iterator[VerdictLine]:
    light = light_of(checked)
    yield VerdictLine(HEADLINE, checked.headline)
    yield VerdictLine(word_of(light), f"  {sign_of(light)} {verdict_of(light, fault_of(checked))}")
    yield VerdictLine(PLAIN, f"{_INDENT}{checked.reason}")
    line = " ".join("".join(piece.text for piece in quote(checked)).split())
    if line:
        for part in textwrap.wrap(f"The article: {line}", width - len(_INDENT)):
            yield VerdictLine(SOURCE, f"{_INDENT}{part}")
