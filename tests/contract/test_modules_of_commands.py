"""What a command imports: every module costs processor time before the first headline is read."""

import json

import pytest

from tests.programs import printed

HEAVY = (
    "altair", "catboost", "igraph", "matplotlib", "nltk", "numba", "pandas", "plotly", "pyarrow", "research",
    "scipy", "sklearn", "sqlalchemy", "streamlit", "torch", "transformers", "umap",
)  # fmt: skip
RUN = """
import contextlib, io, json, sys
heavy, words = map(json.loads, sys.argv[1:])
sys.argv = ["headline-lab", *words]
from headline_lab import _command
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    _command()
print(json.dumps([len(sys.modules), *sorted(set(heavy) & set(sys.modules))]))
"""
START = """
import json, sys
from components.ahead import import_first
import_first()
print(json.dumps(sorted({*json.loads(sys.argv[1])} & {*sys.modules})))
"""
COMMANDS = {
    "--help": (220, ()),
    "group --help": (500, ()),
    "group sample:iss": (1_450, ("pandas", "pyarrow", "scipy")),
    "facts sample:iss": (2_370, ("pandas", "pyarrow", "scipy", "torch")),
    "numerals check {article} --headline": (1_550, ("torch",)),
    "numerals check {german} --headline": (1_600, ("torch",)),
}
"""The most modules of a command, a tenth above what it has, and the heavy libraries that it computes with."""


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_what_it_computes_with_alone(command, tmp_path):
    article, german = tmp_path / "article.txt", tmp_path / "german.txt"
    article.write_text("Three people died in the crash on Monday.", encoding="utf-8")
    german.write_text("Bei dem Unfall am Montag starben drei Menschen.", encoding="utf-8")
    words = command.format(article=article, german=german).split()
    if words[-1] == "--headline":
        words.append("4 Dead in Crash" if str(article) in words else "Vier Tote bei dem Unfall")
    most, needed = COMMANDS[command]
    count, *heavy = json.loads(printed(RUN, json.dumps(HEAVY), json.dumps(words)).splitlines()[-1])
    assert tuple(heavy) == needed
    assert count <= most


@pytest.mark.slow
def test_the_server_imports_nothing_at_its_start_that_only_later_pages_need():
    needed = ["pandas", "plotly", "pyarrow", "sqlalchemy", "streamlit"]  # Streamlit itself imports Plotly
    assert json.loads(printed(START, json.dumps(HEAVY)).splitlines()[-1]) == needed
