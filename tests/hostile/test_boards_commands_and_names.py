import dataclasses
import hashlib
import json
import re

import numpy as np
import pytest

from core.data.articles.articles import article_sources
from core.data.pair_sets.pair_set import pair_sources
from core.errors import CoreError
from core.headlines.generator import headline_generators
from core.headlines.metrics import headline_metrics
from core.headlines.selection import headline_selectors
from core.models.encoders.encoder import encoders
from core.numerals.question import source_aligners
from core.numerals.reader import claim_readers
from core.pairs.context import PairContext
from core.pairs.recipe_fingerprint import fingerprint_of
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from research.benchmark.headlines.tables import model_facts
from research.judging.leaderboard import keep
from tests.hostile.corpus import FILES, SHAPES, STRINGS, table
from tests.hostile.sentences import faults, faults_of_stderr
from tests.pages.opening import opened
from tests.pages.test_research import submission

HTML = "<img src=x onerror=alert(1)><script>alert(1)</script>[x](javascript:alert(1)) :material/home: $x^2$"

ALIVE = re.compile(r"(?<!\\)<(script|img)|(?<!\\)\]\(javascript|(?<!\\):material/home|(?<!\\)\$x")
"""What would be more than text, where nothing before it says otherwise."""


def changed(**values):
    return lambda told: told.update(values)


def scored(**values):
    return lambda told: told["scores"][0].update(values)


LEFT_OUT = {
    "a name that is a number": changed(name=7),
    "no name": lambda told: told.pop("name"),
    "another format": changed(format=99),
    "a field too many": changed(shell="rm"),
    "scores that are no list": changed(scores={"rouge_mean": 1}),
    "a score that is no number": scored(value=float("nan")),
    "limits that are no table": changed(limits=[1, 2]),
    "no scores": changed(scores=[]),
    "half a letter": changed(name="\ud800"),
}
NO_JSON = {
    "empty": b"", "cut": b'{"format": 1, "na', "deep": b"[" * 100_000, "bytes": b"\xff\xfe\x00",
    "list": b"[1]", "null": b"null",
}  # fmt: skip
SHOWN = {
    "HTML for a name": changed(name=HTML, stderr=HTML, articles=HTML, metrics=[HTML]),
    "HTML for labels": scored(label=HTML, help=HTML),
    "a name of 100,000 letters": changed(name="x" * 100_000),
    "a time that is none": changed(time="the day before yesterday"),
    "the same score twice": lambda told: told["scores"].append(told["scores"][0]),
    "huge numbers": changed(count=10**300, seconds=1e300, peak_megabytes=1e300),
    "letters that turn the line": changed(name="\u202e turned"),
}


def forged(folder, forge):
    """Puts an honest submission and a forged copy of it on a board."""
    told = json.loads(keep(submission("Honest", 0.3), folder).read_text())
    told["name"] = "Forged"
    forge(told)
    (folder / "forged.json").write_text(json.dumps(told))


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    return tmp_path / "leaderboard"


def test_what_is_no_submission_is_left_out_and_named(board):
    told = keep(submission("Honest", 0.3), board).read_text()
    for name, forge in LEFT_OUT.items():
        forged = json.loads(told)
        forge(forged)
        (board / f"{name}.json").write_text(json.dumps(forged))
    for name, content in NO_JSON.items():
        (board / f"{name}.json").write_bytes(content)
    (board / "folder.json").mkdir()
    app = opened("leaderboard")
    assert not app.exception
    assert not app.error
    assert app.warning[0].value.startswith(f"{len(LEFT_OUT) + len(NO_JSON) + 1} files")
    assert app.dataframe[0].value["System"].tolist() == ["Honest"]


@pytest.mark.parametrize("forge", SHOWN.values(), ids=list(SHOWN))
def test_what_is_strange_is_shown_as_plain_text(board, forge):
    forged(board, forge)
    app = opened("leaderboard")
    assert not app.exception
    assert not app.error
    texts = [one.value for kind in (app.markdown, app.caption, app.warning) for one in kind]
    # What stands between backticks is code, and text alone.
    assert not [text for text in texts if ALIVE.search(re.sub(r"`[^`]*`", "", text))]


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
    "numerals check": "numerals check {file} --out {out}.csv --aligner lexical",
    "numerals fill": "numerals fill {file} --out {out}.csv --aligner lexical",
    "numerals score": "numerals score {file} --articles {articles} --aligner lexical --out {out}",
    "numerals of an article": "numerals check {file} --headline 12 --aligner lexical",
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
"""An eighth of the corpus, drawn by name."""


OWN = {
    "articles": ("write", "compare articles", "numerals fill", "judge", "train selector"),
    "headlines": ("compare", "compare numbers"),
    "answers": ("evaluate",),
    "pairs": ("score", "pairs stats", "pairs build", "consistency"),
    "cases": ("suite",),
}
"""Verbs that read what the shapes of a kind are meant for."""
MAIN = ("score", "write", "numerals fill", "compare", "evaluate", "suite")


def given_to(verb):
    """The files that a verb is given: each goes through one, and shapes through one of their own as well."""
    for place, (name, file) in enumerate({**FILES, **SHAPES}.items()):
        kind = re.split("[:,]", name)[0]
        verbs = MAIN if kind == "huge" else tuple(VERBS)
        if verb in (verbs[place % len(verbs)], OWN.get(kind, verbs)[place % len(OWN.get(kind, verbs))]):
            yield name, file


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_or_one_sentence(verb, command, tmp_path, monkeypatch):
    wrong = {}
    for place, (name, file) in enumerate(given_to(verb)):
        folder = tmp_path / str(place)
        folder.mkdir()
        path = file.written(folder)
        with monkeypatch.context() as limited:
            file.under_its_limits(limited)
            if found := faults_of_call(command, verb, folder, path):
                wrong[name] = found
    assert wrong == {}


SYSTEMS = ("--method", "--scorer", "--encoder", "--map", "--column", "--timeline", "--format")


@pytest.mark.parametrize("option", SYSTEMS)
def test_any_string_as_a_value_is_one_sentence(option, command, tmp_path):
    """Each string is the value of one option."""
    file, out = tmp_path / "a.csv", tmp_path / "out.html"
    file.write_bytes(b"headline\nStorm\nBank\n")
    wrong = {}
    for name, text in list(STRINGS.items())[SYSTEMS.index(option) :: len(SYSTEMS)]:
        code, _, err = command("group", file, "--out", out, f"{option}={text}")
        found = faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]
        if found or out.exists():
            wrong[name] = found
    assert wrong == {}


NAMES = ("m" * 300, "m/" * 3_000, "~nosuchuser/x", "~nosuchuser", "a\x00b", "\ud800", "/dev/null/x", " ")
CONTEXT = PairContext(
    texts=["Storm hits coast", "Storm hits 5"],
    days=np.zeros(2),
    vectors=np.eye(2, 384, dtype=np.float32),
    bodies=["", ""],
    annotators=np.zeros((2, 2), dtype=np.int64),
)
USES = {
    encoders: lambda recipe: recipe.fingerprint,
    pair_scorers: lambda recipe: recipe.prepare(CONTEXT, Runtime()),
    headline_generators: lambda recipe: recipe.check(),
    headline_selectors: lambda recipe: recipe.check(),
    headline_metrics: lambda recipe: (recipe.signature_text(), recipe.columns),
    source_aligners: lambda recipe: recipe.check(),
    claim_readers: lambda recipe: recipe.check(),
    article_sources: lambda recipe: (recipe.find(), recipe.load()),
    pair_sources: lambda recipe: (recipe.find(), recipe.load()),
}


def fields_of_text():
    """Every field that takes any text: registry, name of the method, name of the field."""
    return [
        pytest.param(registry, name, field.name, id=f"{name} {field.name}")
        for registry in USES
        for name in registry.names()
        for field in dataclasses.fields(registry.get(name))
        if str(field.type) == "str" and not field.metadata.get("choices")
    ]


def refused(call):
    """What is wrong with the sentence that a call is answered with; [] also where it gives no sentence."""
    try:
        call()
    except CoreError as error:
        return faults(error.message, error.hint)
    return []


@pytest.mark.parametrize(("registry", "name", "field"), fields_of_text())
def test_a_name_that_nothing_can_have(registry, name, field):
    for text in NAMES:

        def use(text=text):
            recipe = dataclasses.replace(registry.get(name)(), **{field: text})
            fingerprint_of(name, recipe)
            if registry is headline_generators:
                model_facts(recipe)
            USES[registry](recipe)

        assert refused(use) == []
