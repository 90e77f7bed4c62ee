"""A running app and a real Chromium."""

import os
import shutil

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from benchmarks.browser import CHROMIUMS
from core.archive.opened import OpenArchive
from tests.archives import made as archived
from tests.browser.steps import counting, made

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
ARCHIVED = 180
"""Headlines of the archive that tests share."""
GUARD = """
import os, socket

def allowed(address):
    return not isinstance(address, tuple) or address[0] in ("127.0.0.1", "::1", "localhost")

def log(address):
    with open(os.environ["ASKED"], "a", encoding="utf-8") as file:
        file.write(f"{address}\\n")

def guarded(name):
    plain = getattr(socket.socket, name)
    def connect(self, address):
        if not allowed(address):
            log(address)
            raise OSError(101, "Network is unreachable")
        return plain(self, address)
    setattr(socket.socket, name, connect)

guarded("connect")
guarded("connect_ex")
found = socket.getaddrinfo

def getaddrinfo(host, *rest, **named):
    if host not in (None, "", "127.0.0.1", "::1", "localhost", "0.0.0.0"):
        log(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    return found(host, *rest, **named)

socket.getaddrinfo = getaddrinfo
log("guarded")
"""
"""Stands in the server's way to any other computer, and writes down who was asked."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def common_folder(tmp_path_factory):
    """Folder of the app that tests share, with what its user keeps in `user`."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def common_url(common_folder):
    """Address of the app, started as a user would start it; tests use names and seeds of their own there."""
    with made(common_folder) as url:
        yield url


@pytest.fixture
def app_folder(request, tmp_path_factory, common_folder):
    """The same, but for a test that failed: what it left there would fail it again."""
    first = getattr(request.node, "execution_count", 1) == 1
    return common_folder if first else tmp_path_factory.mktemp("again")


@pytest.fixture
def app_url(request, app_folder, common_folder):
    """Address of the app of that folder."""
    if app_folder == common_folder:
        yield request.getfixturevalue("common_url")
        return
    with made(app_folder) as url:
        yield url


@pytest.fixture(scope="session")
def archive_folder(tmp_path_factory):
    """Folder of an app that has an archive, `storms`."""
    folder = tmp_path_factory.mktemp("archive")
    archived(folder / "user" / "archives" / "storms", ARCHIVED)
    return folder


@pytest.fixture(scope="session")
def archive_url(archive_folder):
    """Address of that app."""
    with made(archive_folder) as url:
        yield url


@pytest.fixture
def archive(archive_folder):
    return OpenArchive(archive_folder / "user" / "archives" / "storms")


@pytest.fixture(scope="session")
def browser():
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
        except Error as error:
            message = (
                "no Chromium was found: install one with `apt-get install chromium` or `playwright install "
                f"chromium` ({str(error).splitlines()[0]})"
            )
            if os.environ.get("HEADLINE_LAB_REQUIRE_BROWSER"):
                pytest.fail(message)
            pytest.skip(message)
        counting(launched)
        yield launched
        launched.close()


@pytest.fixture
def page(browser, app_url):
    """A fresh visitor at 1280 × 900 in the light theme."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", accept_downloads=True
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Where the server's process writes down every other computer that it would have asked."""
    folder = tmp_path / "guard"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked.txt"))
    return tmp_path / "asked.txt"
