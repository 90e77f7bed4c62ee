"""Every file of the corpus as a timeline: its good rows, or one clear sentence."""

import re

import pytest

from core.data.timelines.load import load
from core.errors import CoreError
from core.text.normalise import has_hidden
from tests.hostile.corpus import BY_KIND
from tests.hostile.sentences import faults
from tests.hostile.test_files_numerals_and_fields import limits_for


def said_wrongly(file):
    """What is wrong with what comes of a file; a false value where nothing is."""
    try:
        timeline = load(file.content, file.name)
    except CoreError as refused:
        if file.headlines is not None or not re.search(file.says, refused.message):
            return refused.message
        return faults(refused.message, refused.hint)
    if len(timeline) != file.headlines:
        return f"{len(timeline)} headlines"
    return [text for text in timeline.texts if not text.strip() or has_hidden(text)] + [
        row.reason for row in timeline.report.rejected if not row.reason.endswith(".")
    ]


@pytest.mark.parametrize("kind", BY_KIND)
def test_a_timeline_or_one_sentence(kind, monkeypatch):
    wrong = {}
    for name, file in BY_KIND[kind].items():
        with monkeypatch.context() as limited:
            limits_for(file, limited)
            if found := said_wrongly(file):
                wrong[name] = found
    assert wrong == {}
