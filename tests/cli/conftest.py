"""The verb that a file of tests is about, in this process."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.calling import Call, Printed


@pytest.fixture
def call(command: Call, request: pytest.FixtureRequest) -> Call:
    """The command with the words that the file names as its `VERB`."""
    return partial(command, *getattr(request.module, "VERB", ()))


@pytest.fixture
def ok(call: Call) -> Printed:
    """Asserts that the call succeeds, and gives what it prints."""

    def run(*words: object) -> str:
        code, out, err = call(*words)
        assert code == 0, err
        return out

    return run


@pytest.fixture
def refused(call: Call) -> Printed:
    """Asserts that the call is bad input that prints nothing, and gives what it says on stderr."""

    def run(*words: object) -> str:
        code, out, err = call(*words)
        assert (code, out) == (2, "")
        return err

    return run
