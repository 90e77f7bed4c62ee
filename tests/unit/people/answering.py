"""Answers given in tests, and a window that gives many."""

from core.people.store import Answer, RatingStore
from tests.unit.people.by_hand import FORM, task_of


def answer(article, question, system, value):
    return Answer(article=article, question=question, system=system, value=value)


def store_of(journal, articles=5, systems=("A", "B")):
    return RatingStore(form=FORM, task=task_of(articles, systems), journal=journal)


def answer_all(journal, judge, question):
    """One window: answers one question about every headline of some articles."""
    store = store_of(journal, 3)
    for article in store.task.articles:
        for system in store.task.systems:
            store.record(judge, answer(article, question, system, 2))
