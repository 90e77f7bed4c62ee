"""The small sample, prepared once for all tests of workflows."""

import pytest

from core.data.timelines.samples import load_sample
from core.events.grouping import Settings, prepare, regroup
from core.runtime import Runtime


@pytest.fixture(scope="session")
def iss():
    return prepare(load_sample("iss"), Settings(), Runtime())


@pytest.fixture(scope="session")
def groups(iss):
    return regroup(iss)
