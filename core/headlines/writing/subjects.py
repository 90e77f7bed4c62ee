"""Articles that come from no file: a pasted text, and the reports of an event."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.articles.article_file import ArticleFile, in_table
from core.data.articles.articles import articles_of
from core.data.timelines.timeline import Field, Timeline
from core.text.markup import without_markup
from core.text.normalise import clean_block

_ENDS = (".", "!", "?", "…", "»", '"', "”")


def article_of_text(text: str) -> ArticleFile | None:
    """A pasted article, tags of HTML left out; None where it holds no word."""
    cleaned = clean_block(without_markup(text))
    if not any(map(str.isalnum, cleaned)):
        return None
    return in_table(articles_of("pasted", [cleaned]))


def articles_of_event(timeline: Timeline, rows: Sequence[int]) -> tuple[ArticleFile, bool]:
    """The reports of one event.

    Args:
        timeline: Where they are.
        rows: The headlines of the event, at least one.

    Returns:
        Those of its articles whose text is known, each with its headline as the reference, and True; or its
        different headlines as the sentences of one text, and False.
    """
    texts = timeline.texts
    bodies = {
        row: clean_block(without_markup(body))
        for row in rows
        if isinstance(body := timeline.table[Field.BODY].iloc[row], str) and body.strip()
    }
    if bodies:
        articles = articles_of(
            timeline.name,
            list(bodies.values()),
            ids=[str(row) for row in bodies],
            references=[(texts[row],) for row in bodies],
            clusters=["event"] * len(bodies),
        )
        return in_table(articles), True
    lines = dict.fromkeys(texts[row] for row in rows)
    joined = " ".join(line if line.endswith(_ENDS) else f"{line}." for line in lines)
    return in_table(articles_of(timeline.name, [joined])), False
