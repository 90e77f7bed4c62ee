"""Every file through every verb that reads one: a result, or exit code 2 and one clear sentence."""

import hashlib
import subprocess
import sys

import pytest

from tests.hostile.corpus import BY_KIND, FILES, SHAPES, STRINGS, table
from tests.hostile.running import ROOT
from tests.hostile.sentences import faults, faults_of_stderr
from tests.hostile.test_files import limits_for, written

ARTICLES = table(
    [["id", "text"], ["0", "A storm hurt 12 people on Monday."], ["1", "A bank raised rates by 2 %."]]
)
LINES = b"Storm hurts 12\nBank raises rates\n"

VERBS = {
    "group": "group {file} --out {out}.csv --encoder use_multilingual",
    "score": "score {file} --out {out}.csv --scorer levenshtein",
    "pairs stats": "pairs stats {file}",
    "pairs build": "pairs build {file} --out {out}.json",
    "consistency": "consistency {file} --scorer levenshtein --out {out}.csv",
    "suite": "consistency {timeline} --suite {file} --scorer levenshtein",
    "write": "write {file} --system first-sentence --out {out}.csv",
    "compare": "compare {file} --articles {articles} --metrics duplication --out {out}",
    "compare articles": "compare {lines} --articles {file} --metrics duplication --out {out}",
    "compare numbers": "compare {lines} --numbers {file} --metrics duplication --out {out}",
    "evaluate": "evaluate table {file} --csv {out}.csv",
    "numerals check": "numerals check {file} --out {out}.csv --attacher lexical",
    "numerals fill": "numerals fill {file} --out {out}.csv --attacher lexical",
    "numerals score": "numerals score {file} --articles {articles} --attacher lexical --out {out}",
    "numerals of an article": "numerals check {file} --headline 12 --attacher lexical",
    "train selector": "train selector --documents {file} --out {out}",
    "judge": "judge --name x --articles {file} --board {out} --time 5 -- false",
    "since": "group {timeline} --since {file} --out {out}.csv",
}


TOLD_ROW_BY_ROW = ("No pair could be scored.", "No metric could be computed.")
"""Said after the table was written, which holds the reason of each row."""


def arguments(verb, folder, file):
    """The call of a verb with a file, and what it needs beside it, in a folder."""
    names = {name: folder / name for name in ("articles.csv", "lines.txt", "timeline.csv", "out")}
    (folder / "articles.csv").write_bytes(ARTICLES)
    (folder / "lines.txt").write_bytes(LINES)
    (folder / "timeline.csv").write_bytes(b"headline\nStorm\nBank\n")
    given = {path.stem: path for path in names.values()}
    return [part.format(file=file, **given) for part in VERBS[verb].split()]


def faults_of_call(command, verb, folder, file):
    """What is wrong with what a verb says of a file, and with what it leaves behind."""
    before = set(folder.rglob("*"))
    code, _, err = command(*arguments(verb, folder, file))
    if code == 0 or (code in (1, 3) and verb == "numerals of an article"):
        return [err] if "Traceback" in err else []
    found = faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]
    if err.strip().split("\n")[-2:-1] in ([one] for one in TOLD_ROW_BY_ROW):
        return found
    made = {path for path in folder.rglob("*") if path.is_file()} - before
    left = {path.name for path in made} - {"articles.csv", "lines.txt", "timeline.csv"}
    return found + ([f"it left {left}"] if left else [])


TELLING = {
    name: file
    for name, file in {**SHAPES, **FILES}.items()
    if not name.startswith("huge") and hashlib.sha256(name.encode()).digest()[0] < 32
}
"""An eighth of the corpus, drawn by name: it goes through every verb; all of it through the main ones."""


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_or_one_sentence(verb, command, tmp_path):
    wrong = {}
    for place, (name, file) in enumerate(TELLING.items()):
        folder = tmp_path / str(place)
        folder.mkdir()
        found = faults_of_call(command, verb, folder, written(file, folder))
        if found:
            wrong[name] = found
    assert wrong == {}


MAIN = ("score", "write", "numerals fill", "compare", "evaluate", "suite")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*BY_KIND, "shapes"])
def test_the_whole_corpus_through_the_main_verbs(kind, command, tmp_path, monkeypatch):
    wrong = {}
    for place, (name, file) in enumerate(BY_KIND.get(kind, SHAPES).items()):
        folder = tmp_path / str(place)
        folder.mkdir()
        path = written(file, folder)
        with monkeypatch.context() as limited:
            limits_for(file, limited)
            found = {verb: faults_of_call(command, verb, folder, path) for verb in MAIN}
        wrong |= {f"{name}, {verb}": said for verb, said in found.items() if said}
    assert wrong == {}


SYSTEMS = ("--method", "--scorer", "--encoder", "--map", "--column", "--timeline", "--format")


@pytest.mark.parametrize("option", SYSTEMS)
def test_any_string_as_a_value_is_one_sentence(option, command, tmp_path):
    file, out = tmp_path / "a.csv", tmp_path / "out.html"
    file.write_bytes(b"headline\nStorm\nBank\n")
    wrong = {}
    for name, text in STRINGS.items():
        code, _, err = command("group", file, "--out", out, f"{option}={text}")
        found = faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]
        if found or out.exists():
            wrong[name] = found
    assert wrong == {}


@pytest.mark.slow
def test_memory_and_traces_of_a_real_process(tmp_path):
    """A workbook of a million rows, in a process that may not have more than three gigabytes."""
    file, out = tmp_path / "a.xlsx", tmp_path / "out.csv"
    file.write_bytes(BY_KIND["huge"]["1,048,576 rows of a sheet"].content)
    call = f"ulimit -v {3 * 1024 * 1024} && exec {sys.executable} -m cli write {file} --out {out}"
    done = subprocess.run(["bash", "-c", call], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert faults(*done.stderr.strip().split("\n")[-2:]) == []
    assert not out.exists()
