"""What is said of candidates."""

from __future__ import annotations

import numpy as np
import pytest

from core.numerals.derivations.features import NAMES, features
from core.numerals.derivations.search import derivations_of
from core.numerals.question import WAYS, Attachment, NumeralQuestion, questions_of, read_article

TEXT = "(Sep 25, 2016  1:28 PM CDT) Police say 7 people died. A fire hurt nearly 40 firemen and seven others."


def attachment(question: NumeralQuestion, scores: list[float] | None = None) -> Attachment:
    count = len(question.article.numerals)
    given = np.zeros(count) if scores is None else np.array(scores)
    return Attachment(given, np.log(np.full(len(WAYS), 1 / len(WAYS))))


def column(values: np.ndarray, name: str) -> list[float]:
    return [float(value) for value in values[:, NAMES.index(name)]]


def test_a_row_for_each_candidate_all_finite() -> None:
    question = questions_of("7 Die in Fire", read_article(TEXT))[0]
    found = derivations_of(question)
    values = features(question, attachment(question), found)

    assert values.shape == (len(found), len(NAMES))
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert len(set(NAMES)) == len(NAMES)


def test_the_attachment_is_read_at_the_sources() -> None:
    question = questions_of(
        "7 Die in Fire", read_article("Some 7 people died; 7 horses lived; 3 cats slept.")
    )[0]
    found = [one for one in derivations_of(question) if one.way == "copy"]
    values = features(question, attachment(question, [2.0, -1.0, 0.0]), found)

    assert [one.sources for one in found] == [(0,), (1,)]
    assert column(values, "attached_score") == [2.0, -1.0]
    assert column(values, "attached_ahead_of_others") == [2.0, -3.0]
    assert column(values, "attached_rank") == [0.0, 2.0]
    shares = np.exp([2.0, -1.0, 0.0]) / np.exp([2.0, -1.0, 0.0]).sum()
    assert column(values, "attached_share") == pytest.approx(shares[:2])
    assert column(values, "attached_share_of_value") == pytest.approx([shares[:2].sum()] * 2)


def test_agreement_of_kinds_and_things() -> None:
    article = read_article("The man, 7, was among 7 victims; 7% of them paid $7 million.")
    question = questions_of("7 Victims Named", article)[0]
    found = sorted(
        (one for one in derivations_of(question) if one.way == "copy"), key=lambda one: one.sources
    )
    values = features(question, attachment(question), found)

    assert column(values, "agree_kind") == [0.0, 1.0, 0.0, 0.0]
    assert column(values, "agree_counted")[1] == 1.0
    assert column(values, "agree_percent_clash") == [0.0, 0.0, 1.0, 0.0]
    assert column(values, "agree_factor") == [1.0, 1.0, 1.0, 0.0]
