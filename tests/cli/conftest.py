"""The verb that a file of tests is about, in this process."""

from functools import partial

import pytest


@pytest.fixture
def call(command, request):
    """The command with the words that the file names as its `VERB`."""
    return partial(command, *getattr(request.module, "VERB", ()))


@pytest.fixture
def ok(call):
    def run(*words):
        code, out, err = call(*words)
        assert code == 0, err
        return out

    return run


@pytest.fixture
def refused(call):
    """Asserts that the call is bad input that prints nothing, and gives what it says on stderr."""

    def run(*words):
        code, out, err = call(*words)
        assert (code, out) == (2, "")
        return err

    return run
