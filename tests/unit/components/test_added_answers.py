"""Tables of answers added on the Evaluate page: anybody's by the owner, their own by visitors."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from components.evaluate.sitting import _added
from core.errors import InputError
from core.headlines.side_by_side.runs import GivenFile
from core.journal.database import sqlite_url
from core.journal.journal import Journal
from core.runtime import MODE
from tests.unit.people.answering import answer, store_of


def sitting(root: Path, judge: str) -> Any:
    store = store_of(Journal(sqlite_url(root)))
    return SimpleNamespace(
        form=store.form, whole=SimpleNamespace(task=store.task), judge=judge, everything=store
    )


def table(*judges: str) -> GivenFile:
    rows = [f"{judge},a0,A,4" for judge in judges]
    return GivenFile("t.csv", "\n".join(["judge,article,system,readability", *rows]).encode())


@pytest.mark.parametrize("judge", ["", "Bo"])
def test_a_visitor_adds_no_answers_of_others(
    tmp_path: Path, judge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODE, "workshop")
    here = sitting(tmp_path, judge)
    here.everything.record("Ada", answer("a0", "readability", "A", 2))
    before = here.everything.ratings("Ada").values
    # Neither is it told whether Ada answered so.
    for files in ([table("Ada")], [table("Bo"), table("ADA")], [table("Bo", "Cy")]):
        with pytest.raises(InputError, match="you can add only your own"):
            _added(here, files)
    assert here.everything.ratings().judges == ("Ada",)
    np.testing.assert_array_equal(here.everything.ratings("Ada").values, before)


def test_a_visitor_adds_answers_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODE, "workshop")
    assert _added(sitting(tmp_path, "Bo"), [table("BO")]) == "1 new answers by BO."


def test_the_owner_adds_anybodys(tmp_path: Path) -> None:
    assert _added(sitting(tmp_path, ""), [table("Ada", "Bo")]) == "2 new answers by Ada, Bo."
