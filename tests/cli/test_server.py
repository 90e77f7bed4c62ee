"""What an administrator types: doctor, du, gc, rotating backups, dry runs, files for servers."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import click
import pytest
import yaml

from cli.main import VERBS, app, headline_lab
from cli.serve_config import FILES
from core import files
from core.files import ROOT
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE, close
from core.limits import ALL
from core.models.endpoints import addresses
from core.variables import SETTINGS, unknown, variables
from tests import language_model_server
from tests.programs import finished


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("HEADLINE_LAB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    close(the_journal().url)


def checks(command, *words):
    code, out, _ = command("doctor", "--json", *words)
    return code, {row["check"]: row for row in json.loads(out)}


def test_doctor_finds_nothing_where_all_is_well_and_leaves_no_file(command, tmp_path):
    code, found = checks(command)
    assert (code, {name for name, row in found.items() if not row["ok"]}) == (0, set())
    assert not (tmp_path / "cache" / "doctor").exists()
    assert len(command("doctor")[1].splitlines()) == len(found)


def test_doctor_says_whether_each_language_model_answers_and_sends_it_no_text(command):
    assert "language model" not in checks(command)[1]
    key = "sk-doctor-0123456789abcdef"
    with language_model_server.serving(None) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=key))
        code, found = checks(command)
        said = command("doctor")
    assert (code, found["language model"]["ok"], asked.bodies) == (0, True, [])
    assert asked.address in found["language model"]["says"]
    assert "this computer" in found["language model"]["says"]
    assert key not in "".join(map(str, said))
    code, found = checks(command)
    assert (code, found["language model"]["ok"]) == (1, False)


def test_doctor_says_of_a_language_model_that_it_completes_texts_alone(command):
    with language_model_server.serving(None, takes=("/v1/completions",)) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        assert addresses.PLAIN in command("doctor")[1]
        asked.takes = ("/v1/chat/completions",)
        assert addresses.PLAIN not in command("doctor")[1]


def test_doctor_warns_of_a_model_that_is_not_listed_and_names_those_that_are(command):
    with language_model_server.serving(None) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="large"))
        says = checks(command)[1]["language model"]["says"]
        assert "WARNING" in says
        assert {"1 model", "'large'", "tiny"} <= set(re.findall(r"1 model\b|'large'|tiny", says))
        asked.models = ()
        says = checks(command)[1]["language model"]["says"]
        assert "WARNING" in says
        assert "0 models" in says
        asked.models = ("large", "tiny")
        assert "WARNING" not in checks(command)[1]["language model"]["says"]


def test_doctor_looks_again_whether_a_stored_interface_fits(command):
    with language_model_server.serving(None) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", interface="completions"))
        assert checks(command)[0] == 0
        asked.takes = ("/v1/chat/completions",)
        code, out, _ = command("doctor")
        assert (code, asked.bodies) == (1, [])
        (wrong,) = (line for line in out.splitlines() if line.startswith("BAD"))
        assert "completions" in wrong
        assert "chat" in wrong


def test_doctor_names_what_is_wrong(command, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROW", "3")
    monkeypatch.setenv("HEADLINE_LAB_MODE", "worksop")
    monkeypatch.setenv("HEADLINE_LAB_FIELD_CHARACTERS", "many")
    monkeypatch.setenv("HEADLINE_LAB_LOG", "xml")
    monkeypatch.setenv("HEADLINE_LAB_DEVICE", "toaster")
    monkeypatch.setenv("HEADLINE_LAB_PROXY_KEY", "short")
    monkeypatch.setenv("HEADLINE_LAB_SERVER_KEY", "brief")
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/a-file/journal.sqlite")
    (tmp_path / "a-file").touch()
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "a-file"))
    code, found = checks(command)
    assert code == 1
    assert {name for name, row in found.items() if not row["ok"]} == {"cache folder", "database", "variables"}
    said = found["variables"]["says"]
    assert all(
        word in said for word in ("HEADLINE_LAB_FILE_ROWS?", "'worksop'", "'many'", "'xml'", "'toaster'")
    )
    assert all(said.count(f"HEADLINE_LAB_{name}_KEY has fewer than 16") == 1 for name in ("PROXY", "SERVER"))
    sentences = [found[name]["says"].split(". ") for name in ("cache folder", "database")]
    assert all(len(set(some)) == len(some) for some in sentences)


def test_a_misspelt_variable_is_named_by_every_command(command, monkeypatch):
    for name in ("HEADLINE_LAB_FILE_ROW", "HEADLINE_LAB_ANSWER", "HEADLINE_LAB_REQUIRE_BROWSER"):
        monkeypatch.setenv(name, "3")
    _, out, err = command("du", "--json")
    assert json.loads(out) == []
    assert [re.findall("HEADLINE_LAB_[A-Z_]+", line) for line in err.splitlines()] == [
        ["HEADLINE_LAB_FILE_ROW", "HEADLINE_LAB_FILE_ROWS"]
    ]
    assert set(unknown().values()) == {"", "HEADLINE_LAB_FILE_ROWS"}


@pytest.mark.slow
def test_one_file_sets_what_the_environment_leaves_open(tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('user = "from the file"\nfile_rows = 7\nmodes = "x"\n')
    here = {SETTINGS: str(settings)}
    own = finished(
        sys.executable, "-m", "cli", "doctor", "--json", HEADLINE_LAB_USER=str(tmp_path / "user"), **here
    )
    told = {row["check"]: row["says"] for row in json.loads(own.stdout)}
    assert str(tmp_path / "user") in told["user folder"]
    assert "HEADLINE_LAB_MODE?" in told["variables"]
    assert finished(sys.executable, "-m", "cli", "group", "sample:iss", **here).returncode == 2
    for text in ("mode", "endpoint_visitors = true"):
        settings.write_text(text)
        refused = finished(sys.executable, "-m", "cli", "du", **here)
        assert (refused.returncode, str(settings) in refused.stderr) == (2, True)


def test_stdout_has_a_table_alone_where_out_is_a_stroke(command, tmp_path):
    told = command("group", "sample:iss", "--quiet", "--out", tmp_path / "groups.csv")[1]
    code, out, err = command("group", "sample:iss", "--quiet", "--out", "-")
    assert (code, out) == (0, (tmp_path / "groups.csv").read_bytes().decode().replace("\r\n", "\n"))
    assert told in err
    code, out, _ = command("forget", "person", "Ada", "--out", "-")
    assert (code, json.loads(out)["changed"]) == (1, 0)
    (line,) = command("forget", "person", "Ada", "--json")[1].splitlines()
    assert json.loads(line)["changed"] == 0
    assert command("group", "sample:nothing", "--out", "-")[:2] == (2, "")
    assert list(Path(files.temporary("stdout").name).iterdir()) == []


@pytest.mark.parametrize("right", [True, False])
def test_doctor_asks_a_proxy_by_which_name_it_asks(command, right):
    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            host = self.headers["Host"] if right else "127.0.0.1"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f'<script>{{const asked = "{host}";}}</script>'.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        code, found = checks(command, "--url", f"http://127.0.0.1:{server.server_port}/lab/")
        server.shutdown()
    assert found["proxy"]["ok"] is right
    assert code == (not right)


def test_every_variable_of_the_code_is_known():
    named = {
        name
        for folder in ("core", "components", "cli", "research", "headline_lab")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(r'"(HEADLINE_LAB_[A-Z_]+[A-Z])"', path.read_text(encoding="utf-8"))
    }
    assert named >= {"HEADLINE_LAB_USER", "HEADLINE_LAB_MODE", "HEADLINE_LAB_LOG"}
    assert named <= variables().keys()
    page = (ROOT / "docs/command_line.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `(HEADLINE_LAB_\w+)` \| (.+) \|$", page, re.MULTILINE))
    assert table.items() <= variables().items()
    assert len(table) == len(variables()) - len(ALL)


def test_space_is_counted_by_part_and_what_was_left_over_goes(command, tmp_path):
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    left, new = (tmp_path / "user" / f".{name}{files.PARTIAL}" for name in ("left", "new"))
    for path in (left, new):
        path.write_bytes(b"x" * 1_000)
    os.utime(left, (time.time() - 2 * 86_400,) * 2)
    (tmp_path / "cache" / "results").mkdir(parents=True)
    (tmp_path / "cache" / "results" / "x.entry").write_bytes(b"x" * 7)
    rows = {row["place"]: row for row in json.loads(command("du", "--json")[1])}
    assert rows[str(tmp_path / "cache" / "results")]["bytes"] == 7
    assert rows[str(tmp_path / "user" / "journal.sqlite")]["files"] == 1
    assert json.loads(command("gc", "--json")[1]) == {"removed": 1, "caches": 0}
    assert (left.exists(), new.exists()) == (False, True)
    assert json.loads(command("gc", "--caches", "--json")[1]) == {"removed": 0, "caches": 1}
    paid = tmp_path / "cache" / "answers" / "a.entry"
    paid.parent.mkdir(parents=True)
    paid.write_bytes(b"x")
    assert json.loads(command("gc", "--caches", "--json")[1]) == {"removed": 0, "caches": 0}
    assert paid.exists()


def test_the_newest_backups_stay_and_those_of_a_restore_too(command, tmp_path):
    backups = tmp_path / "user" / "backups"
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    for _ in range(3):
        assert command("backup")[0] == 0
    made = sorted(backups.iterdir())
    kept = backups / "before-restore-20200101T000000000000Z.jsonl.gz"
    kept.write_bytes(made[0].read_bytes())
    assert command("backup", "--keep", "2")[0] == 0
    stay = sorted(backups.iterdir())
    assert kept in stay
    assert made[2] in stay
    assert len(stay) == 3
    assert command("backup", tmp_path / "x.jsonl.gz", "--keep", "2")[0] == 2


def test_what_a_person_put_among_the_backups_stays_and_junk_takes_no_place(command, tmp_path):
    backups = tmp_path / "user" / "backups"
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    assert command("backup")[0] == 0
    (made,) = backups.iterdir()
    name = "backup-20200101T000000000000Z"
    named = ["backup-2025.jsonl.gz", "backup-20251101-before-election.jsonl.gz", f"{name} (copy).jsonl.gz"]
    for one in named:
        shutil.copy(made, backups / one)
    (backups / f"{name}.jsonl.gz").symlink_to(made)
    (backups / "backup-20200102T000000000000Z.jsonl.gz").mkdir()
    (backups / "backup-29990101T000000000000Z.jsonl.gz").touch()
    (backups / "backup-29990102T000000000000Z.jsonl.gz").write_bytes(b"no gzip")
    shutil.copy(made, backups / "backup-20200103T000000000000Z.jsonl.gz")
    before = {path.name for path in backups.iterdir()}
    assert command("backup", "--keep", "2")[0] == 0
    after = {path.name for path in backups.iterdir()}
    assert before - after == {"backup-20200103T000000000000Z.jsonl.gz"}
    assert len(after - before) == 1


def test_a_dry_run_says_what_would_come_back_and_changes_nothing(command, tmp_path):
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    command("backup", tmp_path / "one.jsonl.gz")
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    code, out, _ = command("restore", "--dry-run", tmp_path / "one.jsonl.gz")
    assert code == 0
    assert re.findall(r"\d+", out) == ["1", "2"]
    asked = command("restore", "--json", "--dry-run", tmp_path / "one.jsonl.gz")[1]
    assert json.loads(asked) == {"entries": 1, "before": 2, "changed": False}
    made = command("backup", "--json", tmp_path / "two.jsonl.gz")[1]
    assert json.loads(made) == {"file": str(tmp_path / "two.jsonl.gz"), "entries": 2}
    assert len(the_journal().read("rooms/x")) == 2
    assert not (tmp_path / "user" / "backups").exists()


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("path", ["lab", ""])
def test_files_for_servers_are_filled_in_and_name_what_there_is(command, kind, path):
    code, out, _ = command(
        "serve-config", kind, "--name", "lab.example.org", "--base-path", f"/{path}/", "--port", 8600
    )
    assert code == 0
    assert "lab.example.org" in out
    assert "8600" in out
    assert not re.search("@[A-Z]+@", out)
    assert set(re.findall(r"HEADLINE_LAB_[A-Z_]+", out)) <= variables().keys()
    options = {name for option in app.params for name in (*option.opts, *option.secondary_opts)}
    daily = re.findall(r"^# 30 3 \* \* \* root .*\bheadline-lab (\w+) (.*)$", out, re.MULTILINE)
    assert bool(daily) is (kind not in ("nginx", "caddy"))
    for verb, words in daily:
        found = headline_lab.get_command(click.Context(headline_lab), verb)
        assert found.make_context(verb, words.split()).params["keep"] == 14
    started = re.search(r"headline-lab app.*", out)
    assert not started or set(re.findall(r"--[a-z-]+", started[0])) <= options
    assert ("lab" in re.sub(r"lab.example.org|headline-lab|localhost/lab", "", out)) or not path


WRONG_NAMES = [
    "",
    "lab.example.org:443",
    "https://lab.example.org",
    "a b",
    "a;b",
    "lab.",
    "-lab",
    "a\n",
    "a." * 130 + "a",
]
WRONG_PATHS = ["..", "a/../b", "a/./b", "a//b", "a b", "a;b", "a{", "ä", "lab\n"]


@pytest.mark.parametrize(
    "words",
    [("--name", name) for name in WRONG_NAMES]
    + [("--name", "lab.example.org", "--base-path", path) for path in WRONG_PATHS],
)
def test_only_hosts_and_plain_paths_get_into_files_for_servers(command, words):
    code, out, err = command("serve-config", "nginx", *words)
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    right = ("--name", "l-1.example.org", "--base-path", "/news~1/lab_2.x/")
    assert command("serve-config", "nginx", *right)[0] == 0


def test_compose_keeps_any_password_out_of_the_address_and_waits_for_the_database(command):
    services = yaml.safe_load(command("serve-config", "compose", "--name", "lab.example.org")[1])["services"]
    lab, database = services["lab"], services["database"]
    assert "PASSWORD" not in lab["environment"]["HEADLINE_LAB_DATABASE_URL"]
    # What libpq takes where an address has none.
    assert lab["environment"]["PGPASSWORD"] == database["environment"]["POSTGRES_PASSWORD"]
    assert lab["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "pg_isready" in database["healthcheck"]["test"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_knows_every_line_of_its_file(command, tmp_path):
    unit = tmp_path / "headline-lab.service"
    unit.write_text(command("serve-config", "systemd", "--name", "lab.example.org")[1])
    ran = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    # It looks for the command, which is where this Python has been installed to, or not.
    assert [line for line in ran.stderr.splitlines() if "is not executable" not in line] == []


def test_every_verb_lists_the_codes_that_it_ends_with(command):
    for verb in VERBS:
        found = headline_lab.get_command(click.Context(headline_lab), verb)
        for each in (found, *getattr(found, "commands", {}).values()):
            told = " ".join(each.get_help(click.Context(each)).split())
            assert re.search("Exit codes: 0 .* 1 .* 2 .* 3 .* 141", told), each.name
    assert command("-h")[0] == 0


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_a_shell_completes_the_verbs_of_the_command(command, shell, tmp_path):
    code, script, _ = command("completion", shell)
    assert code == 0
    (variable,) = set(re.findall(r"\b_HEADLINE_LAB_\w+(?==)", script))
    asked = {
        "bash": ("headline-lab ser", "1"),
        "zsh": ("headline-lab ser", "1"),
        "fish": ("headline-lab ser", "ser"),
    }
    words, current = asked[shell]
    environment = {variable: f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": current}
    main = "import sys; sys.argv = ['headline-lab']; from headline_lab import _command; _command()"
    completed = finished(sys.executable, "-c", main, **environment).stdout
    assert "serve-config" in completed
    assert "group" not in completed
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_the_manual_page_has_every_verb_and_option_and_no_roff_of_its_own(command):
    code, page, _ = command("man")
    assert code == 0
    titles = re.findall(r'^\.SH "(.*)"$', page, re.MULTILINE)
    assert {f"HEADLINE-LAB {verb.upper()}".replace("-", "\\-") for verb in VERBS} < set(titles)
    assert "HEADLINE\\-LAB NUMERALS CHECK" in titles
    for option in ("--keep", "--dry-run", "--base-path", "--granularity"):
        assert option.replace("-", r"\-") in page
    lines = [line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))]
    assert set(lines) == {".TH", ".SH", ".nf", ".fi"}
    if shutil.which("groff"):
        drawn = subprocess.run(
            ["groff", "-man", "-Kutf8", "-Tutf8", "-ww"],
            input=page,
            capture_output=True,
            text=True,
            check=True,
        )
        assert drawn.stderr == ""
        assert "serve-config" in drawn.stdout
