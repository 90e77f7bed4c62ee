"""The articles that a trainer of headlines learns from."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core.data.articles.articles import Articles, articles_of
from core.errors import InputError
from core.parts import Part

VALIDATION_SHARE: Final = 0.1  # of the training articles, where the data names no validation part


def ready_articles(sets: Sequence[Articles]) -> tuple[Articles, list[str]]:
    """Training and validation articles with headlines, and a sentence on each thing that was left out.

    Articles with the text of a test article are taken away; without a validation part a tenth is drawn.
    """
    joined = _joined(sets)
    held_out = {text for text, part in zip(joined.texts, joined.parts, strict=True) if part is Part.TEST}
    rows: dict[str, int] = {}
    bare = copies = 0
    for row, text in enumerate(joined.texts):
        if text in held_out:
            continue
        if not text.strip() or not any(headline.strip() for headline in joined.references[row]):
            bare += 1
        elif rows.setdefault(text, row) != row:
            copies += 1
    chosen = joined.at(list(rows.values()))
    if Part.VALIDATION not in chosen.parts:
        chosen = replace(chosen, parts=tuple(map(_drawn, chosen.texts)))
    if Part.TRAIN not in chosen.parts:
        hint = "Give a table with the columns text and headline, or a set with a training part."
        raise InputError("There is no article with a headline to train on.", hint=hint)
    counts = {"without text or headline": bare, "with the text of another one": copies}
    return chosen, [f"{count:,} articles {what} were left out." for what, count in counts.items() if count]


def _joined(sets: Sequence[Articles]) -> Articles:
    if len(sets) == 1:
        return sets[0]
    columns: dict[str, Any] = {
        name: [value for dataset in sets for value in getattr(dataset, name)]
        for name in ("references", "parts", "numbers", "operations")
    }
    return articles_of(
        "+".join(dataset.name for dataset in sets),
        [text for dataset in sets for text in dataset.texts],
        ids=[f"{dataset.name}/{name}" for dataset in sets for name in dataset.ids],
        clusters=[f"{dataset.name}/{name}" if name else "" for dataset in sets for name in dataset.clusters],
        **columns,
    )


def _drawn(text: str) -> Part:
    place = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    return Part.VALIDATION if place < VALIDATION_SHARE * 2**32 else Part.TRAIN
