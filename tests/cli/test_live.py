import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from core.files import ROOT

ISS = ROOT / "samples" / "iss" / "iss_excerpt.csv"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def without_time(records):
    return [{**one, "time": ""} for one in records]


@pytest.mark.slow
def test_it_prints_what_changes_and_goes_on_where_it_was(command, tmp_path):
    growing, state, out = tmp_path / "day.csv", tmp_path / "day.jsonl", tmp_path / "changes.jsonl"
    everything = ISS.read_text(encoding="utf-8").splitlines(keepends=True)
    growing.write_text("".join(everything[:21]), encoding="utf-8")
    asked = ("live", growing, "--state", state, "--out", out, "--once")
    code, first, said = command(*asked)
    assert code == 0
    assert said.startswith("20 headlines in ")
    growing.write_text("".join(everything), encoding="utf-8")
    code, second, said = command(*asked)
    assert code == 0
    assert said.startswith("47 headlines in ")
    both = lines(first) + lines(second)
    assert [one["number"] for one in both] == list(range(1, len(both) + 1))
    assert lines(out.read_text(encoding="utf-8")) == both
    assert sum(one["headline"] is not None for one in both) == 47
    for change in (change for one in both for change in one["changes"]):
        assert change["reason"]
        assert change["kind"] in {"opened", "joined", "merged", "split", "moved"}
    assert command(*asked)[1] == ""


def test_it_writes_into_no_file_of_something_else(refused, ok, command, tmp_path):
    growing, state, notes = tmp_path / "day.csv", tmp_path / "state.jsonl", tmp_path / "notes.csv"
    growing.write_text("headline\nStorm closes the harbour\n", encoding="utf-8")
    notes.write_text("my,notes\n", encoding="utf-8")
    ranked = tmp_path / "ranked.jsonl"
    ranked.write_text('{"number": 1, "headline": "Storm"}\n', encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    refused = {
        ("--state", notes): "is not the file of a stream",
        ("--state", growing): "is a part of what is followed",
        ("--state", state, "--out", notes): "holds something else than changes of streams",
        ("--state", state, "--out", ranked): "holds something else than changes of streams",
        ("--state", state, "--out", growing): "is a part of what is followed",
        ("--state", state, "--out", state): "name the same file",
    }
    for asked, why in refused.items():
        code, printed, said = command("live", growing, "--once", *asked)
        assert (code, printed) == (2, "")
        assert why in said
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    code, _, said = command("live", tmp_path, "--once", "--state", state)
    assert code == 2
    assert "is a part of what is followed" in said
    code, _, said = command("live", growing, "--once", "--state", state, "--out", tmp_path / "out.jsonl")
    undated = "day.csv: 1 headline has no date: none was found.\n"
    assert (code, said) == (0, f"{undated}1 headline in 1 group, kept in {state}.\n")
    out = (tmp_path / "out.jsonl").read_bytes()
    ok("live", growing, "--once", "--state", state, "--out", state.with_name("other.csv"))
    assert state.with_name("other.csv").read_bytes() == out  # the same records, from the first on


@pytest.mark.slow
def test_sigints_that_come_together_stop_it_in_one_sentence(tmp_path, request):
    growing = tmp_path / "day.csv"
    growing.write_text("headline,date\nStorm,2024-05-06\n", encoding="utf-8")
    # Tests that run in the background ignore SIGINT, and so would what they start.
    asked = ["env", "--default-signal=INT", sys.executable, "-m", "cli", "live", str(growing)]
    running = subprocess.Popen(
        [*asked, "--state", str(tmp_path / "state")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    request.addfinalizer(running.kill)
    running.stdout.readline()  # from here on it waits
    for _ in range(50):
        running.send_signal(signal.SIGINT)
        time.sleep(0.0002)
    _, said = running.communicate(timeout=60)
    assert said == f"Stopped. The stream is kept in {tmp_path / 'state'}.\n"


@pytest.mark.slow
def test_a_process_that_is_killed_again_and_again_loses_and_doubles_nothing(tmp_path):
    first, *rows = ISS.read_text(encoding="utf-8").splitlines()
    days = tmp_path / "days.csv"
    copies = (f"2{century}{row[2:]}" for century in range(1, 9) for row in rows)
    days.write_text("\n".join([first, *copies]), encoding="utf-8")

    def start(state):
        asked = [sys.executable, "-m", "cli", "live", str(days), "--once"]
        asked += ["--state", str(state), "--out", str(state.with_suffix(".out"))]
        there = {**os.environ, "PYTHONPATH": str(ROOT)}
        # A small pipe: who prints is not far ahead of who reads, however fast the machine is.
        return subprocess.Popen(
            asked,
            cwd=ROOT,
            env=there,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            pipesize=16_384,
        )

    whole = start(tmp_path / "whole")
    printed, _ = whole.communicate()
    expected = lines(printed.decode())
    at_random = random.Random(20)
    kills = 0
    for _ in range(4):
        process = start(tmp_path / "killed")
        # From here on it stores and prints; a few lines later it is gone.
        if process.stdout.readline() == b"":
            break
        time.sleep(at_random.random() * 0.05)
        process.kill()
        process.communicate()
        kills += process.returncode != 0
    process = start(tmp_path / "killed")
    process.communicate()
    assert process.returncode == 0
    assert kills >= 2
    for suffix in ("", ".out"):
        kept = [(tmp_path / name).with_suffix(suffix) for name in ("whole", "killed")]
        one, other = (lines(path.read_text(encoding="utf-8")) for path in kept)
        assert without_time(other) == without_time(one)
    assert without_time(lines((tmp_path / "killed.out").read_text(encoding="utf-8"))) == without_time(
        expected
    )


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ((), ["port=8501", "address=127.0.0.1", "headless=False"]),
        (
            ("--port=8600", "--address=0.0.0.0", "--no-browser"),
            ["port=8600", "address=0.0.0.0", "headless=True"],
        ),
    ],
)
def test_the_app_starts_where_and_how_it_is_asked_to(command, monkeypatch, words, settings):
    started = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("runpy.run_module", lambda name, **_: started.append([name, *sys.argv[1:]]))
    assert command("app", *words)[0] == 0
    assert started == [["streamlit", "run", "app.py", *(f"--server.{setting}" for setting in settings)]]


def test_rules_are_set_listed_and_kept_and_what_is_none_is_refused(command, tmp_path):
    growing, state = tmp_path / "day.csv", tmp_path / "day.jsonl"
    growing.write_text("headline,date\nStorm closes the harbour,2024-05-06\n", encoding="utf-8")
    asked = ("live", growing, "--state", state, "--once", "--quiet")
    tell = ("--tell", "outlets:3/20", "--tell", "number:Peru", "--webhook", "http://127.0.0.1:1/x")
    code, _, said = command(*asked, *tell)
    assert code == 0
    assert (
        "3 outlets report one event within 20 minutes. Alarms go to http://127.0.0.1:1, on this computer"
        in said
    )
    assert "1/x" not in said
    assert command(*asked)[2].startswith("3 outlets report")
    for wrong in (("--tell", "storm"), ("--tell", "outlets:9"), ("--tell", "word")):
        assert command(*asked, *wrong)[0] == 2
    notes = tmp_path / "notes.csv"
    notes.write_text("my,notes\n", encoding="utf-8")
    before = set(tmp_path.iterdir())
    assert command("live", growing, "--once", "--state", notes, "--tell", "edit")[0] == 2
    assert set(tmp_path.iterdir()) == before
