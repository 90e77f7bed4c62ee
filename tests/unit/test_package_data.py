"""What is installed holds the tables and templates that its modules read."""

import tomllib
from fnmatch import fnmatch

from core.files import ROOT

PACKAGES = ("core", "research", "cli", "headline_lab")


def test_every_data_file_beside_a_module_is_installed():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert declared["packages"]["find"]["include"] == [f"{package}*" for package in PACKAGES]
    beside = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.*")
        if path.is_file() and path.suffix != ".py" and path.parent.name != "__pycache__"
    ]
    assert {path.suffix for path in beside} >= {".toml", ".html", ".css"}
    patterns = declared["package-data"]["*"]
    for path in beside:
        assert (path.parent / "__init__.py").is_file(), path
        assert any(fnmatch(path.name, pattern) for pattern in patterns), path
