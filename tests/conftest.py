"""Fixtures that all tests share: an offline hub, a cache of their own, the place of the larger data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    from core.runtime import stay_offline

    stay_offline()


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test reads or leaves anything in the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["HEADLINE_LAB_CACHE"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the larger data sets, which are not part of the project."""
    folder = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("the larger data sets are not here; set HEADLINE_LAB_SHARED to their folder")
    return folder
