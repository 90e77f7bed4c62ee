import tomllib
from pathlib import Path

import pytest

BAD = tomllib.loads(Path(__file__).with_name("bad_calls.toml").read_text(encoding="utf-8"))


def nested(depth, inner="levenshtein"):
    return inner if not depth else nested(depth - 1, f"with_time|base:({inner})")


WORDS = {
    "many": nested(900),
    "endless": "x" * 5_000,
    "blank": " \u200b",
    "encoder": "transformers_encoder.v1|model",
}


@pytest.mark.slow
@pytest.mark.parametrize(("line", "says"), BAD["calls"].items(), ids=list(BAD["calls"]))
def test_a_bad_call_is_one_sentence_and_leaves_nothing(line, says, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in BAD["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    code, out, err = command(*(word.format(**WORDS) for word in line.split()))
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == set(BAD["files"])
