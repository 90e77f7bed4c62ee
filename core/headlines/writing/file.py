"""Articles with the headlines that a system wrote: the table that `headline-lab write` writes."""

from __future__ import annotations

from typing import Any

from core.data.articles.article_file import ArticleFile
from core.data.timelines.writers import write_table
from core.headlines.writing.suggesting import Written


def written_bytes(opened: ArticleFile, written: Written, kind: str) -> bytes:
    """All rows in input order with all their columns, `headline`, and `headline_2` … for more candidates.

    A column of that name in the input is kept as `headline_input`.

    Raises:
        UnknownNameError: `kind` is no table format.
        InputError: A text that XLSX cannot hold.
    """
    most = max((len(found) for found in written.candidates), default=1)
    extra = {
        "headline" if place == 0 else f"headline_{place + 1}": [
            found[place].text if place < len(found) else "" for found in written.candidates
        ]
        for place in range(max(most, 1))
    }
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    return write_table(opened.table, extra, kind, about=about, rows="articles")


def as_object(written: Written) -> dict[str, Any]:
    """What was written, for programs."""
    return {
        "articles": len(written.articles),
        "headlines": sum(map(len, written.candidates)),
        "system": written.system,
        "signature": written.signature,
        "notes": list(written.notes),
    }


def as_text(written: Written) -> str:
    """What was written, for people."""
    told = as_object(written)
    return (
        f"{told['articles']:,} article{'s' if told['articles'] != 1 else ''}, "
        f"{told['headlines']:,} headline{'s' if told['headlines'] != 1 else ''}\n{written.signature}"
    )
