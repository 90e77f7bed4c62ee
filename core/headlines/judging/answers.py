"""What a judged system wrote, line by line, to the headlines of the articles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core import limits
from core.headlines.judging.sandbox import JudgingError
from core.text.normalise import clean_line


def headlines_of(output: bytes, ids: Sequence[str]) -> tuple[str, ...]:
    """The headlines in the order of the articles.

    Either one line a headline, in the order of the articles, or JSON lines with `id` and `headline` in any
    order. What begins with a JSON object that has a `headline` is read as JSON lines.

    Args:
        output: What the system wrote, UTF-8.
        ids: Of the articles.

    Returns:
        One clean line each; "" where the system gave none.

    Raises:
        JudgingError: There are too few or too many, an article has none or two, or it is no text.
    """
    try:
        text = output.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JudgingError(
            f"The output is not UTF-8 (byte {error.start:,}).", hint="Write headlines in UTF-8."
        ) from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    found = _of_objects(lines, ids) if lines and _object(lines[0]) else _of_lines(lines, ids)
    most = limits.HEADLINE_CHARACTERS.value
    for number, headline in enumerate(found, 1):
        if len(headline) > most:
            raise JudgingError(
                f"Headline {number:,} has {len(headline):,} characters; {most:,} are allowed.",
                hint="Write one headline an article, not the article.",
            )
    return found


def _of_lines(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    if len(lines) != len(ids):
        raise JudgingError(
            f"The system wrote {len(lines):,} line{'' if len(lines) == 1 else 's'} for {len(ids):,} "
            f"article{'' if len(ids) == 1 else 's'}.",
            hint="Write one line a headline, in the order of the articles, and nothing else to stdout.",
        )
    return tuple(clean_line(line) for line in lines)


def _of_objects(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    wanted, found = set(ids), dict[str, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        told = _object(line)
        if told is None or "id" not in told:
            raise JudgingError(
                f"Line {number:,} of the output is not a JSON object with `id` and `headline`.",
                hint='Write lines like {"id": "7", "headline": "…"}, or plain lines alone.',
            )
        name = str(told["id"])
        if name not in wanted:
            raise JudgingError(
                f"There is no article {name[:80]!r}.", hint="Give back the ids that were given."
            )
        if name in found:
            raise JudgingError(f"The article {name[:80]!r} has two headlines.", hint="Write one an article.")
        found[name] = clean_line(str(told["headline"] or ""))
    missing = [name for name in ids if name not in found]
    if missing:
        raise JudgingError(
            f"{len(missing):,} of {len(ids):,} articles have no headline, the first is {missing[0][:80]!r}.",
            hint="Write one for every article; an empty text is a headline too.",
        )
    return tuple(found[name] for name in ids)


def _object(line: str) -> dict[str, Any] | None:
    """A line as a JSON object with a headline; None where it is none."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and "headline" in told else None
