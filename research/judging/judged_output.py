"""The headlines in what a judged system wrote."""

import json
from collections.abc import Sequence
from typing import Any

from core import limits
from core.results.render import count_words
from core.text.normalise import clean_line
from research.judging.sandbox import JudgingError


def headlines_of(output: bytes, ids: Sequence[str]) -> tuple[str, ...]:
    """The headlines in the order of the articles, given in that order, one a line, or as JSON lines in any.

    What begins with a JSON object that has a `headline` is read as JSON lines, with `id` and `headline`.
    """
    try:
        text = output.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"The output is not UTF-8 (byte {error.start:,})."
        raise JudgingError(said, hint="Write headlines in UTF-8.") from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if not lines[-1]:
        lines.pop()
    headlines = _of_objects(lines, ids) if lines and _object(lines[0]) else _of_lines(lines, ids)
    most = limits.HEADLINE_CHARACTERS.value
    for number, headline in enumerate(headlines, 1):
        if len(headline) > most:
            said = f"Headline {number:,} has {len(headline):,} characters; {most:,} are allowed."
            raise JudgingError(said, hint="Write one headline an article, not the article.")
    return headlines


def _of_lines(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    if len(lines) != len(ids):
        wrote, asked = count_words(len(lines), "line", "lines"), count_words(len(ids), "article", "articles")
        hint = "Write one line a headline, in the order of the articles, and nothing else to stdout."
        raise JudgingError(f"The system wrote {wrote} for {asked}.", hint=hint)
    return tuple(clean_line(line) for line in lines)


def _of_objects(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    wanted, headlines = set(ids), dict[str, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        entry = _object(line)
        if entry is None or "id" not in entry:
            said = f"Line {number:,} of the output is not a JSON object with `id` and `headline`."
            hint = 'Write lines like {"id": "7", "headline": "…"}, or plain lines alone.'
            raise JudgingError(said, hint=hint)
        name = str(entry["id"])
        if name not in wanted:
            hint = "Give back the ids that were given."
            raise JudgingError(f"There is no article {name[:80]!r}.", hint=hint)
        if name in headlines:
            raise JudgingError(f"The article {name[:80]!r} has two headlines.", hint="Write one an article.")
        headlines[name] = clean_line(str(entry["headline"] or ""))
    missing = [name for name in ids if name not in headlines]
    if missing:
        raise JudgingError(
            f"{len(missing):,} of {len(ids):,} articles have no headline, the first is {missing[0][:80]!r}.",
            hint="Write one for every article; an empty text is a headline too.",
        )
    return tuple(headlines[name] for name in ids)


def _object(line: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and "headline" in entry else None
