"""The verb that a file of tests is about, in this process."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.calling import Call


@pytest.fixture
def call(command: Call, request: pytest.FixtureRequest) -> Call:
    """The command with the words that the file names as its `VERB`."""
    return partial(command, *getattr(request.module, "VERB", ()))
