"""Answers given in tests, and a process that gives them until it is killed."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from core.people.answer_log import Answer
from core.people.store import RatingStore
from tests.unit.people.by_hand import FORM, task_of


def answer(article: str, question: str, system: str, value: int | None) -> Answer:
    return Answer(article=article, question=question, system=system, value=value)


def store_of(root: Path, articles: int = 5, systems: tuple[str, ...] = ("A", "B")) -> RatingStore:
    return RatingStore(form=FORM, task=task_of(articles, systems), root=root)


def answer_on(root: Path, acknowledged: Connection) -> None:
    """Answers for ever; sends the id of each answer that was acknowledged."""
    store, value = store_of(root), 0
    while True:
        value = value % 5 + 1
        acknowledged.send(store.record("Ada", answer("a0", "readability", "A", value)))


def answer_all(root: Path, judge: str, question: str) -> None:
    """One window: answers one question about every headline of twenty articles."""
    store = store_of(root, 20)
    for article in store.task.articles:
        for system in store.task.systems:
            store.record(judge, answer(article, question, system, 2))
