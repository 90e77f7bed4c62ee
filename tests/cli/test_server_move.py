"""`export-server` and `import-server`: all that a server holds, on another machine and either database."""

import gzip
import json
import shutil
import stat
import subprocess
import sys
import tracemalloc
import zipfile
from hashlib import sha256

import pytest

from core import files
from core.data.pair_sets.kept import keep_pairs, own_sets
from core.data.pair_sets.load import load_pair_set
from core.files import ROOT
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE, close
from core.journal.verify import verify
from core.live.digest import StreamReader
from core.live.kept import kept_streams
from core.live.log import StreamLog
from core.models.endpoints.addresses import Endpoint, endpoints, store
from core.people.forms import known_forms
from core.runtime import RUNS
from tests.postgres import new_schema

PAIRS = b"headline_a,headline_b,label\nOne died,1 died,1\nTwo died,Rain,0\n"
FORM = (ROOT / "tests/data/earlier/2026-11-24/forms/desk-rules-23204b7b.toml").read_bytes()


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Goes to a machine by its name: a user's folder with a cache in it, and a database if one is named."""
    monkeypatch.delenv(RUNS)
    opened = []

    def go(name, database=""):
        monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / name))
        monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / name / "cache"))
        monkeypatch.setenv(VARIABLE, database) if database else monkeypatch.delenv(VARIABLE, raising=False)
        opened.append(the_journal().url)
        return tmp_path / name

    yield go
    for url in opened:
        close(url)


def told():
    journal = the_journal()
    read = {stream: journal.read(stream) for stream in sorted(journal.streams())}
    return {stream: [(one.id, one.kind, one.who, one.body) for one in some] for stream, some in read.items()}


def held(folder):
    apart = ("journal.sqlite", "cache", ".")
    names = {path: path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for path, name in names.items() if not name.startswith(apart)}


def fill(user):
    for number in range(3):
        the_journal().append("ratings/x", [NewEntry(kind="answer", who="Ada", body={"n": number})])
    keep_pairs(PAIRS, "mine.csv")
    files.make_folder(user / "forms")
    files.write(user / "forms/desk-rules-23204b7b.toml", FORM)
    shutil.copytree(ROOT / "tests/data/earlier/2026-11-22/live", user / "live")
    store(Endpoint(address="http://127.0.0.1:9/v1", key="sk-secret"))
    files.secret(user / "server.key")
    files.make_folder(user / "runs/a/model")
    files.write(user / "runs/a/model/weights.safetensors", bytes(3_000_000))
    files.make_folder(user / "cache/results")
    files.write(user / "cache/results/x.entry", b"x")
    files.write(user / f".left{files.PARTIAL}", b"x")


def all_is_there(user, before):
    assert told() == before
    assert verify(the_journal()) == []
    assert len(load_pair_set(own_sets()["mine"].path)) == 2
    assert "own-desk-rules-23204b7b" in known_forms()
    (stream,) = kept_streams()
    assert len(StreamReader(StreamLog(stream)).timeline("wire", 10)) == 2
    assert [endpoint.key for endpoint in endpoints()] == ["sk-secret"]
    assert not (user / "cache/results/x.entry").exists()


@pytest.mark.slow
def test_a_server_moves_from_one_file_to_postgresql_and_back(command, at, postgres, tmp_path):
    user = at("first")
    fill(user)
    before, made, file = told(), held(user), tmp_path / "move.zip"
    code, out, _ = command("export-server", file, "--json")
    assert (code, json.loads(out)) == (0, {"file": str(file), "entries": 3, "files": len(made)})
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for name, database in (("second", new_schema(postgres)), ("third", "")):
        user = at(name, database)
        with zipfile.ZipFile(file) as moved:
            size = len(moved.read("journal.jsonl.gz")) + sum(map(len, made.values()))
        code, out, err = command("import-server", file, "--json")
        assert (code, err) == (0, "")
        told_of = {"file": str(file), "entries": 3, "files": len(made), "bytes": size, "changed": True}
        assert json.loads(out) == told_of
        all_is_there(user, before)
        assert held(user) == made
        assert {stat.S_IMODE(path.stat().st_mode) for path in user.rglob("*") if path.is_file()} == {0o600}
        assert (user / "journal.sqlite").exists() is (not database)
        file = tmp_path / f"{name}.zip"
        assert command("export-server", file)[0] == 0


@pytest.mark.slow
def test_trainings_stay_behind_where_asked_and_go_where_the_new_server_keeps_them(
    command, at, tmp_path, monkeypatch
):
    fill(at("first"))
    small, whole = tmp_path / "small.zip", tmp_path / "whole.zip"
    assert command("export-server", small, "--no-trainings")[0] == 0
    assert command("export-server", whole)[0] == 0
    user = at("second")
    assert command("import-server", small)[0] == 0
    assert not (user / "runs").exists()
    at("third")
    monkeypatch.setenv(RUNS, str(tmp_path / "trainings"))
    assert command("import-server", whole)[0] == 0
    assert (tmp_path / "trainings/a/model/weights.safetensors").read_bytes() == bytes(3_000_000)


@pytest.mark.slow
def test_stdout_has_the_file_alone(command, at, tmp_path):
    fill(at("first"))
    for verb, name in (("export-server", "move.zip"), ("backup", "backup.jsonl.gz")):
        words = [sys.executable, "-m", "cli", verb, "-"]
        with (tmp_path / name).open("wb") as out:
            ran = subprocess.run(words, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, check=True)
        assert b"3 entries" in ran.stderr
        assert b"in stdout\n" in ran.stderr
    at("second")
    assert command("import-server", "--dry-run", tmp_path / "move.zip")[0] == 0
    assert command("restore", tmp_path / "backup.jsonl.gz")[0] == 0
    assert len(the_journal().read("ratings/x")) == 3


def test_what_is_here_is_never_overwritten_and_an_import_that_was_stopped_is_begun_again(
    command, at, tmp_path
):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    user = at("second")
    files.make_folder(user / "forms")
    files.write(user / "forms/desk-rules-23204b7b.toml", b"another")
    code, out, err = command("import-server", file)
    assert (code, out, "desk-rules-23204b7b.toml" in err) == (2, "", True)
    assert held(user) == {"forms/desk-rules-23204b7b.toml": b"another"}
    files.write(user / "forms/desk-rules-23204b7b.toml", FORM)  # as far as a stopped import came
    assert command("import-server", file)[0] == 0
    code, _, err = command("import-server", file)
    assert (code, "3 entries" in err) == (2, True)


def test_a_dry_run_checks_all_and_writes_nothing(command, at, tmp_path):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    user = at("second")
    code, out, _ = command("import-server", "--dry-run", "--json", file)
    assert (code, json.loads(out)["entries"], json.loads(out)["changed"]) == (0, 3, False)
    assert not user.exists()


def rewritten(source, target, change):
    """An export with changed parts, and digests of them as they then are where `change` asks for it."""
    with zipfile.ZipFile(source) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    about = json.loads(parts.pop("headline-lab-server.json"))
    about = change(parts, about) or about
    with zipfile.ZipFile(target, "w") as new:
        for name, content in {**parts, "headline-lab-server.json": json.dumps(about)}.items():
            new.writestr(name, content)
    return target


def turned(parts, about):
    parts["user/server.key"] = bytes(32)


def lacking(parts, about):
    del parts["user/server.key"]


def more(parts, about):
    parts["user/plugins/x.py"] = b"x"


def newer(parts, about):
    return {"format": 2}


def placed(name):
    def change(parts, about):
        parts[name] = b"x"
        return {**about, "digests": {key: sha256(content).hexdigest() for key, content in parts.items()}}

    return change


@pytest.mark.parametrize(
    "change",
    [turned, lacking, more, newer]
    + [placed(name) for name in ("user/../../x", "user//etc/x", "other/x", "user/journal.sqlite", "user/")]
    + [placed(name) for name in ("user/a\nb", "user/\x1b[2J", "user/server.key/x", "user/./server.key")]
    + [placed(f"user/{name}") for name in ("a" * 256, "ä" * 128, "forms/desk-rules-23204b7b.toml/x/y")],
)
def test_what_is_damaged_newer_or_leads_elsewhere_is_refused_before_anything_is_written(
    command, at, tmp_path, change
):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    user = at("second")
    code, out, err = command("import-server", rewritten(file, tmp_path / "changed.zip", change))
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    assert not user.exists()


def long_list(parts, about):
    return {**about, "more": "x" * 17_000_000}


def long_journal(parts, about):
    parts["journal.jsonl.gz"] = gzip.compress(bytes(2_000_000))
    return {**about, "digests": {name: sha256(content).hexdigest() for name, content in parts.items()}}


@pytest.mark.parametrize("change", [long_list, long_journal])
def test_what_unpacks_to_more_than_the_limit_is_not_unpacked(command, at, tmp_path, monkeypatch, change):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    user = at("second")
    changed = rewritten(file, tmp_path / "changed.zip", change)
    monkeypatch.setenv("HEADLINE_LAB_UNPACKED_MEGABYTES", "1")
    tracemalloc.start()
    code, out, err = command("import-server", "--dry-run", changed)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (code, out, user.exists()) == (2, "", False)
    assert change is long_list or "1 MB" in err
    assert most < 40_000_000
    if change is long_list:
        return
    with (
        zipfile.ZipFile(tmp_path / "lzma.zip", "w", zipfile.ZIP_LZMA) as packed,
        zipfile.ZipFile(file) as old,
    ):
        for name in old.namelist():
            packed.writestr(name, old.read(name))
    assert command("import-server", tmp_path / "lzma.zip")[0] == 2


def test_a_file_in_the_place_of_a_folder_is_in_the_way(command, at, tmp_path):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    user = at("second")
    files.make_folder(user)
    files.write(user / "forms", b"x")
    code, _, err = command("import-server", file)
    assert (code, str(user / "forms") in err) == (2, True)
    assert held(user) == {"forms": b"x"}


def test_an_export_refuses_what_no_import_takes_and_names_its_own_file(command, at, tmp_path):
    user = at("first")
    fill(user)
    code, _, err = command("export-server", tmp_path / "nowhere" / "x.zip")
    assert (code, "nowhere/x.zip" in err, files.PARTIAL in err) == (2, True, False)
    files.write(user / "forms" / "a\nb.toml", b"x")
    assert command("export-server", tmp_path / "move.zip")[0] == 2
    assert not (tmp_path / "move.zip").exists()


@pytest.mark.parametrize("kept", [0, 100, -9])
def test_a_file_that_is_cut_off_is_refused(command, at, tmp_path, kept):
    fill(at("first"))
    file = tmp_path / "move.zip"
    command("export-server", file)
    file.write_bytes(file.read_bytes()[:kept])
    user = at("second")
    assert command("import-server", file)[0] == 2
    assert command("import-server", tmp_path / "nowhere")[0] == 2
    assert not user.exists()
