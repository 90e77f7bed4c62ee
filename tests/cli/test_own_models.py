"""Commands that ask a model by its address: no file holds its key; killed, they go on."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from itertools import pairwise

import pandas as pd
import pytest

from core import limits
from core.files import ROOT
from core.models.endpoints import addresses
from tests import language_model_server as server
from tests.language_model_server import YES_NO, chance, sure

KEY = "sk-files-0123456789abcdef"
ISS = ROOT / "samples/iss/iss_excerpt.csv"
JUDGED = ("samples/articles/outputs.jsonl", "--articles", "sample:articles", "--limit", "2")
PAIRS = 12


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))


def contents(path):
    """What a file holds, and what each file in it holds, unpacked."""
    data = path.read_bytes()
    if not zipfile.is_zipfile(path):
        return [data]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [name.encode() + archive.read(name) for name in archive.namelist()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "option", "ending"),
    [
        (("group", ISS, "--ask-model", "endpoint|answer:scale", "--most-pairs", "4"), option, ending)
        for option, ending in (("--bundle", "zip"), ("--page", "html"), ("--out", "json"), ("--out", "csv"))
    ]
    + [(("evaluate", "ask", *JUDGED), "--out", "csv")],
)
def test_no_file_that_a_command_writes_holds_the_key(words, option, ending, command, tmp_path):
    """Not even where the server repeats it in the name of the model and in the answer."""
    said = {"score": 100} if words[0] == "group" else {"answer": "first"}

    def repeats(body, number):
        return server.chat(json.dumps(said | ({"by": KEY} if number % 2 else {})), model=f"tiny-1 {KEY}")

    out = tmp_path / f"written.{ending}"
    with server.serving(repeats) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=KEY, price_in=1.0))
        code, told, errors = command(*words, option, out)
    assert code == 0, errors
    assert set(asked.keys) == {f"Bearer {KEY}"}
    written = [*contents(out), told.encode(), errors.encode()]
    assert option != "--bundle" or len(written) > 4
    assert any(b"answered:tiny-1" in part for part in written)  # who answered is there, the key is not
    assert not [part for part in written if KEY.encode() in part]


@pytest.mark.slow
@pytest.mark.parametrize("kills", [(1, 7), (PAIRS,)])
def test_a_killed_run_goes_on_where_it_was_with_nothing_asked_twice_and_nothing_lost(kills, tmp_path):
    """The process ends while a question is under way: that one is asked again, and no other."""
    pairs, out = tmp_path / "pairs.csv", tmp_path / "scored.csv"
    headlines = [f"Storm {number} hits coast" for number in range(PAIRS + 1)]
    asks = [*pairwise(headlines)]
    with pairs.open("w", newline="") as file:
        csv.writer(file).writerows([("headline_a", "headline_b"), *asks])
    started = []

    def killing(body, number):
        if number in kills:
            started[-1].kill()
        return sure(body, number)

    with server.serving(killing) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        for run in range(len(kills) + 1):
            call = [sys.executable, "-m", "cli", "score", pairs, "--scorer", "endpoint", "--out", out]
            env = {**os.environ, "PYTHONPATH": str(ROOT), limits.ENDPOINT_REQUESTS.variable: "1"}
            started.append(subprocess.Popen(call, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True))
            _, errors = started[-1].communicate()
            ended = run == len(kills)
            assert ((started[-1].returncode == 0), out.exists()) == (ended, ended), errors
    asked_of = [YES_NO.search(text).groups() for text in asked.texts]
    interrupted = [asked_of[number - 1] for number in kills]
    assert Counter(asked_of) == Counter([*asks, *interrupted])
    table = pd.read_csv(out)
    assert [*zip(table["headline_a"], table["headline_b"], strict=True)] == asks
    assert table["score"].tolist() == pytest.approx([chance(*pair) for pair in asks], abs=1e-5)
    assert re.search(rf"\b{PAIRS + len(kills) - max(kills)} questions? w", errors)
