"""Answers given in tests, and a window that gives many."""

from __future__ import annotations

from core.journal.journal import Journal
from core.people.store import Answer, RatingStore
from tests.unit.people.by_hand import FORM, task_of


def answer(article: str, question: str, system: str, value: int | None) -> Answer:
    return Answer(article=article, question=question, system=system, value=value)


def store_of(journal: Journal, articles: int = 5, systems: tuple[str, ...] = ("A", "B")) -> RatingStore:
    return RatingStore(form=FORM, task=task_of(articles, systems), journal=journal)


def answer_all(journal: Journal, judge: str, question: str) -> None:
    """One window: answers one question about every headline of some articles."""
    store = store_of(journal, 3)
    for article in store.task.articles:
        for system in store.task.systems:
            store.record(judge, answer(article, question, system, 2))
