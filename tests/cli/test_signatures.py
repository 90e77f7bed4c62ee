import csv
import re

import click
import pytest

from cli.main import headline_lab
from core import __version__
from core.files import ROOT
from core.results.text_tables import SIGNATURES
from research.benchmark.pairs.rows import ALWAYS_YES, MOST_FREQUENT

PROGRAM = f"headline-lab {__version__}"
WEIGHTS = r"weights:[0-9a-f]{16}\b"
ARTICLE = "A storm killed 3 people in Ohio on Monday. Police said 12 others were hurt."


@pytest.fixture
def call(command, tmp_path, monkeypatch):
    """What a command prints on stdout; its files go into the test's folder."""
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "articles.csv").write_text(f'id,text,headline\n1,"{ARTICLE}",Storm kills 3 in Ohio\n')
    (tmp_path / "pairs.csv").write_text("headline_a,headline_b,label\nStorm hits,Storm has hit,1\n")
    (tmp_path / "ours.txt").write_text("Ohio storm kills 3\n")

    def run(*arguments):
        code, out, err = command(*arguments)
        assert code == 0, err
        return out

    return run


def commands(one, *path):
    if not isinstance(one, click.Group):
        yield " ".join(path)
        return
    context = click.Context(one)
    for name in one.list_commands(context):
        inner = one.get_command(context, name)
        assert inner is not None
        yield from commands(inner, *path, name)


def test_the_page_speaks_of_every_command():
    text = (ROOT / "docs" / "formats.md").read_text().partition("## Signatures\n")[2].partition("\n## ")[0]
    told = set(re.findall(r"`([a-z -]+)`", text))
    assert set(commands(headline_lab)) - told == {"methods", "evaluate link", "pairs add", "pairs remove"}


@pytest.mark.parametrize(
    ("arguments", "data"),
    [
        (("group", "sample:iss"), "data"),
        (("score", "{}/pairs.csv", "--out", "{}/out.csv", "--scorer", "siamese"), "data"),
        (("consistency", "sample:iss", "--scorer", "siamese"), "data"),
        (("write", "{}/articles.csv", "--out", "{}/out.csv", "--system", "s2s"), "articles"),
        (
            ("numerals", "check", "{}/articles.csv", "--out", "{}/out.csv", "--aligner", "lexical"),
            "headlines",
        ),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_the_last_line_is_the_signature(call, tmp_path, arguments, data):
    last = call(*(one.format(tmp_path) for one in arguments)).splitlines()[-1]
    assert last.startswith(PROGRAM)
    assert re.search(WEIGHTS, last)
    assert re.search(rf"\b{data}:[0-9a-f]{{16}}", last)


def test_a_comparison_is_signed_wherever_it_stands(call, tmp_path):
    out = tmp_path / "out"
    asked = ("--metrics", "rouge", "--metrics", "numeral_support|aligner:lexical", "--quiet", "--seed", 7)
    shown = call(
        "compare", tmp_path / "ours.txt", "--articles", tmp_path / "articles.csv", "--out", out, *asked
    )
    signature = shown.splitlines()[-1]
    assert signature.startswith(f"{PROGRAM} · articles:")
    assert re.search(
        r"articles:[0-9a-f]{16} · systems:[0-9a-f]{16} · language:en · rouge\.v1\|stems", signature
    )
    assert re.search(rf"numeral_support\.v4\|.*{WEIGHTS}.* · seed:7 · resamples:[0-9]+$", signature)
    assert (out / "table.tex").read_text().splitlines()[-1] == f"% {signature}"
    assert [row["signature"] for row in csv.DictReader((out / "table.csv").open())] == [signature]
    assert f'"signature": "{signature}"' in (out / "table.json").read_text()
    assert signature in (out / "report.html").read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    ("which", "options", "weighed"),
    [
        ("pairs", ("--set", "hlgd_sample", "--scorer", "siamese", "--quick"), "siamese"),
        ("headlines", ("--set", "numhg", "--system", "s2s", "--metrics", "rouge", "--limit", 2), "s2s"),
    ],
)
def test_every_row_of_a_benchmark_is_signed(call, tmp_path, which, options, weighed):
    out = tmp_path / "out"
    shown = call("benchmark", which, *options, "--out", out, "--quiet")
    assert shown.splitlines()[-1] == SIGNATURES
    check_table(out / f"{'pair' if which == 'pairs' else 'headline'}_benchmark.csv", weighed)


def check_table(table, weighed):
    """Fails where a figure of a benchmark's table, or its row in the LaTeX beside it, is not signed."""
    measured = [row for row in csv.DictReader(table.open()) if row.get("f1") or row.get("value")]
    # One answer to every pair is no method: it has nothing to sign.
    signatures = {row["signature"] for row in measured if row.get("row") not in (ALWAYS_YES, MOST_FREQUENT)}
    assert all(one.startswith(PROGRAM) for one in signatures)
    with_weights = [one for one in signatures if weighed in one]
    assert with_weights
    assert all(re.search(WEIGHTS, one) for one in with_weights)
    comments = [line for line in table.with_suffix(".tex").read_text().splitlines() if line.startswith("% ")]
    assert all(any(line.endswith(f": {one}") for line in comments) for one in signatures)
