"""What goes out is in step: one version, what it asks of administrators, and a checkout that stays small."""

import re
import subprocess
import sys
import tomllib
import zlib

import pytest

from core import __version__
from core.files import ROOT
from tests.programs import finished

MOST_BYTES = 60_000_000
RELEASE = re.compile(r"^## \[?(\d+\.\d+\.\d+)", re.MULTILINE)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_stands_in_one_place_and_every_release_says_what_to_do():
    assert "version" in tomllib.loads(read("pyproject.toml"))["project"]["dynamic"]
    assert re.findall(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE) == [__version__]
    releases = RELEASE.findall(read("CHANGELOG.md"))
    assert releases[0] == __version__
    assert RELEASE.findall(read("docs/upgrade.md")) == releases
    notes = re.split(RELEASE, read("CHANGELOG.md"))[2::2]
    parts = ["What an administrator has to do", "What a user can do"]
    assert [re.findall(r"^### (.+)$", note, re.MULTILINE) for note in notes] == [parts] * len(releases)
    stated = (read("requirements/sbom.cdx.json"), r'"name": "headline-lab", "version": "([^"]+)"'), (
        finished(sys.executable, "-m", "cli", "--version").stdout, r"version (\S+)",
    )  # fmt: skip
    assert [re.findall(pattern, text) for text, pattern in stated] == [[__version__]] * len(stated)
    assert f'LABEL org.opencontainers.image.version="{__version__}"' in read("Containerfile")


@pytest.mark.slow
def test_a_shallow_clone_stays_below_sixty_megabytes():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if listed.returncode:
        pytest.skip("this copy is no checkout")
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    # What git sends is compressed file by file; likeness between files only makes it less.
    sizes = [len(zlib.compress(file.read_bytes(), 1)) for file in files if file.is_file()]
    assert 20_000_000 < sum(sizes) < MOST_BYTES
