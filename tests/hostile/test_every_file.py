"""Every file of the corpus as a timeline: its good rows, or one clear sentence."""

from __future__ import annotations

import re

import pytest

from core.data.timelines.load import load
from core.errors import CoreError
from core.text.normalise import has_hidden
from tests.hostile.corpus import FILES, File
from tests.hostile.sentences import faults
from tests.hostile.test_files import limits_for

SLOW = {name for name in FILES if "1,048,576" in name}


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, file in FILES.items()
    ],
)
def test_a_timeline_or_one_sentence(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    limits_for(file, monkeypatch)
    if file.headlines is not None:
        timeline = load(file.content, file.name)
        assert len(timeline) == file.headlines
        assert all(text.strip() and not has_hidden(text) for text in timeline.texts)
        for row in timeline.report.rejected:
            assert row.reason.endswith(".")
        return
    with pytest.raises(CoreError) as refused:
        load(file.content, file.name)
    assert re.search(file.says, refused.value.message), refused.value.message
    assert faults(refused.value.message, refused.value.hint) == []
