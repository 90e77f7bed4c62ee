import pandas as pd
import pytest

from core.data.timelines.load import read_table
from core.headlines.generator import first_sentence
from core.headlines.generators.sentences import ranked

VERB = ("write",)
ROWS = [
    ("3", "A storm shut the airport of Genoa on Monday. Nobody was hurt, police said.", "=1+1 Storm", "a"),
    ("1", "МОСКВА, 21 авг — РИА Новости. В Москве прошёл митинг. На митинг пришли люди.", "Митинг", "b"),
    ("2", "ROMA (AP) – Il dott. Rossi è arrivato a Roma. Poi è ripartito per Milano.", "Rossi", "a"),
]
COLUMNS = ["id", "text", "headline", "cluster"]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "news.csv"
    pd.DataFrame(ROWS, columns=COLUMNS).to_csv(path, index=False)
    return path


def written(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_headlines_stand_in_input_order_beside_all_columns(table, tmp_path, call):
    out = tmp_path / "out.csv"
    code, told, notes = call(table, "--system", "first-sentence", "--out", out)
    assert code == 0
    found = written(out)
    assert list(found.columns) == ["id", "text", "headline_input", "cluster", "headline"]
    assert found["id"].tolist() == ["3", "1", "2"]
    assert found["headline"].tolist() == [first_sentence(row[1]) for row in ROWS]
    assert found["headline"][1] == "В Москве прошёл митинг."
    assert found["headline_input"][0] == "'=1+1 Storm"
    assert "first_sentence.v1|most_words:0" in told
    assert "taken from 'text'" in notes


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_more_candidates_are_more_columns_in_every_format(table, tmp_path, ok, kind):
    out = tmp_path / f"out.{kind}"
    options = ("--system", "first_sentence", "--candidates", 3, "--max-words", 4)
    ok(table, *options, "--out", out)
    cells = read_table(out.read_bytes(), out.name).cells
    assert cells["headline"][0] == "A storm shut the"
    assert cells["headline_2"][0] == "Nobody was hurt, police"
    assert "headline_3" not in cells.columns


def test_an_event_gets_one_headline_by_the_seed(table, tmp_path, ok):
    seen = set()
    for seed in range(8):
        out = tmp_path / "out.csv"
        options = ("--system", "lead-one", "--events", "--seed", seed, "--out", out)
        ok(table, *options)
        first, second, third = written(out)["headline"]
        assert first == third
        assert second == first_sentence(ROWS[1][1])
        seen.add(first)
    assert seen == {first_sentence(ROWS[0][1]), first_sentence(ROWS[2][1])}


def test_without_a_system_the_default_writes_or_says_what_does(table, tmp_path, ok, monkeypatch):
    from core.headlines import writing

    monkeypatch.setattr(writing, "DEFAULTS", ("no_such_one", "textrank"))
    out = tmp_path / "out.csv"
    told = ok(table, "--out", out)
    assert "textrank.v1" in told
    assert written(out)["headline"][0] == ranked(ROWS[0][1])[0][0]
