import json
import sys

import pytest

from core.files import ROOT
from research.judging.judge import read_board
from research.judging.separate_process import can_isolate

VERB = ("judge",)
SYSTEM = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['text'][:30])\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "articles.csv"
    rows = [f"The council of town {n} opens a bridge.,Town {n} opens bridge" for n in range(5)]
    path.write_text("\n".join(["text,headline", *rows]) + "\n")
    return path


def test_a_system_is_run_scored_and_kept(table, tmp_path, call):
    script, board = tmp_path / "system.py", tmp_path / "board"
    script.write_text(SYSTEM)
    options = ["--name", "Mine", "--articles", table, "--board", board, "--time", 60, "--quiet"]
    code, out, err = call(*options, "--json", "--", sys.executable, "-S", script)
    assert code == 0
    told = json.loads(out)
    assert told["name"] == "Mine"
    assert told["command"][-2:] == ["-S", str(script)]
    assert told["limits"]["seconds"] == 60
    assert told["isolation"]["files"] is can_isolate()
    assert ("Not isolated" in err) is not can_isolate()
    names = {one.name for one in read_board(board).submissions}
    assert names == {"Mine", "First sentence"}


def test_folders_are_shown_where_they_are_named_and_hold_no_references(table, tmp_path, call):
    team = tmp_path / "team"
    team.mkdir()
    (team / "words.py").write_text("def headline(text): return text[:30]\n")
    script = team / "system.py"
    script.write_text(SYSTEM.replace("import json", "import words, json").replace("['text'][:30]", "['id']"))
    options = ["--name", "Mine", "--articles", table, "--board", tmp_path / "board", "--quiet"]
    command = ["--", sys.executable, "-S", script]
    code, _, err = call(*options, *command)
    assert (code, "No module named 'words'" in err) == ((2, True) if can_isolate() else (0, False))
    code, out, _ = call(*options, "--with", team, *command)
    assert code == 0
    assert ("Isolated (new root)" in out) is can_isolate()
    for folder in (tmp_path, ROOT):
        code, _, err = call(*options, "--with", folder, *command)
        assert code == 2
        assert "cannot be shown to the system" in err
