"""The small sample, prepared once for all tests of workflows."""

from __future__ import annotations

import pytest

from core.data.timelines.load import load_sample
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.runtime import Runtime


@pytest.fixture(scope="session")
def iss() -> Prepared:
    return prepare(load_sample("iss"), Settings(), Runtime())


@pytest.fixture(scope="session")
def groups(iss: Prepared) -> Grouping:
    return regroup(iss)
