import csv
import json
from collections import Counter

import pandas as pd
import pytest
from click.testing import CliRunner
from Levenshtein import ratio

from cli.consistency import consistency
from tests.tiny_models import save_classifier

ROWS = [
    ("Storm shuts airports", "Airports shut by storm", "2024-05-01", "2024-05-03", "1"),
    ("=1+1 storms shut airports", "Bank raises rates", "2024-05-01", "2024-05-01", "maybe"),
    ("", "Airports shut by storm", "2024-05-01", "2024-05-01", "0"),
    ("Bank raises rates", "Rates raised by bank", "2024-05-01", "", "1"),
    ("Bank raises rates", "Bank raises rates", "2024-05-01", "2024-02-31", "1"),
]
COLUMNS = ["headline_a", "headline_b", "date_a", "date_b", "label"]


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    pd.DataFrame(ROWS, columns=COLUMNS).to_csv(path, index=False)
    return path


def written(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_rows_keep_their_order_their_columns_and_their_place(pairs, tmp_path, call):
    out = tmp_path / "out.csv"
    code, _, told = call("score", pairs, "--out", out, "--scorer", "levenshtein")
    assert code == 0
    found = written(out)
    assert list(found.columns) == [*COLUMNS, "score", "same_event", "reason"]
    assert found["label"].tolist() == [row[4] for row in ROWS]
    assert found["headline_a"][1] == "'=1+1 storms shut airports"
    for row in (0, 1, 3):
        expected = ratio(ROWS[row][0], ROWS[row][1])
        assert float(found["score"][row]) == pytest.approx(expected, abs=1e-6)
        assert found["same_event"][row] == str(int(expected >= 0.40))
        assert found["reason"][row] == ""
    for row in (2, 4):
        assert (found["score"][row], found["same_event"][row]) == ("", "")
    assert "The headline is empty." in found["reason"][2]
    assert "no such day" in found["reason"][4]
    assert "row 3" in told
    assert "row 5" in told


def test_a_missing_date_matters_to_a_scorer_with_time(pairs, tmp_path, ok):
    out = tmp_path / "out.csv"
    scorer = "with_time|base:levenshtein|tau_days:2.0"
    ok("score", pairs, "--out", out, "--scorer", scorer)
    found = written(out)
    faded = ratio(ROWS[0][0], ROWS[0][1]) * 0.36787944  # two days at tau = 2
    assert float(found["score"][0]) == pytest.approx(faded, abs=1e-6)
    assert found["score"][3] == ""
    assert "date is missing" in found["reason"][3]


@pytest.mark.slow
def test_a_threshold_that_nobody_fitted_is_said_and_what_took_no_part_is_not(pairs, tmp_path, command):
    classifier = save_classifier(tmp_path / "own", ["storm", "shuts", "airports", "bank", "rates"])
    out, own = ("--out", tmp_path / "scored.csv"), f"pair_classifier.v1|model:{classifier}"

    def notes(scorer, *words):
        code, told, err = command("score", pairs, *out, "--scorer", scorer, "--json", *words)
        assert code == 0, err
        told = json.loads(told)
        said = [note for note in told["notes"] if "never fitted" in note]
        assert all(note in err and classifier.name in note and "0.5" in note for note in said)
        return told, len(said)

    for scorer in (own, f"symmetric.v1|base:({own})"):
        told, said = notes(scorer)
        assert said == 1
        assert "bert-base-multilingual-cased" not in told["signature"]
        assert str(classifier) in told["signature"]
        again, _ = notes(told["scorer"])  # what a signature says gives the same again
        assert again["signature"] == told["signature"]
        assert notes(scorer, "--threshold", "0.4")[1] == 0
    old = f"{own}|base:bert-base-multilingual-cased"  # as it was written before
    assert notes(old)[0]["signature"] == notes(own)[0]["signature"]
    for fitted in ("pair_classifier.v1", "levenshtein"):
        assert notes(fitted)[1] == 0
    for words, wanted in (((), 1), (("--threshold", "0.4"), 0)):
        code, told, err = command(
            "consistency", "sample:iss", "--scorer", own, "--limit", "4", "--json", *words
        )
        assert code == 0, err
        assert ("never fitted" in (json.loads(told)["note"] or "")) == wanted
        _, text, _ = command("consistency", "sample:iss", "--scorer", own, "--limit", "4", *words)
        assert ("never fitted" in text) == wanted


def test_list_says_what_is_here_and_what_is_missing(ok, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    out = ok("pairs", "list", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["iss.v1"]["pairs"] == 1081
    assert rows["iss.v1"]["missing"] is None
    assert rows["mrpc.v1"]["path"] is None
    assert "mrpc_train_clean.tsv" in rows["mrpc.v1"]["missing"]
    out = ok("pairs", "list")
    assert "1,081 pairs of 47 headlines" in out


def test_build_then_describe(ok, tmp_path):
    out_file = tmp_path / "pairs.json"
    out = ok("pairs", "build", "sample:iss", "--out", out_file, "--ratio", "1", "--window", "10")
    assert "143 same, 99 different" in out
    rows = json.loads(out_file.read_text(encoding="utf-8"))
    assert list(rows[0]) == [
        "timeline_id", "headline_a", "headline_b", "date_a", "date_b", "url_a", "url_b", "label",
    ]  # fmt: skip
    out = ok("pairs", "stats", out_file, "--json")
    told = json.loads(out)
    assert told["parts"]["test"]["same"] == 143
    assert told["same_inside_window"] == 1.0
    again = ("build", "sample:iss", "--out", out_file, "--ratio", "1", "--window", "10")
    assert json.loads(ok("pairs", *again, "--json"))["parts"] == told["parts"]
    added = json.loads(ok("pairs", "add", out_file, "--name", "excerpt", "--json"))
    stay = sum(part["same"] + part["different"] for part in added["parts"].values())
    assert (added["name"], added["excluded"] + stay) == ("excerpt", 143 + 99)
    assert json.loads(ok("pairs", "remove", "excerpt", "--json")) == {"removed": "excerpt"}


@pytest.mark.slow
def test_what_could_not_be_drawn_is_said_and_what_could_is_not(command, tmp_path):
    def drawn(*words):
        out_file = tmp_path / "drawn.csv"
        code, told, err = command("pairs", *words, "--out", out_file, "--json")
        _, text, _ = command("pairs", *words, "--out", out_file)
        assert err == ""
        told = json.loads(told)
        rows = pd.read_csv(out_file, keep_default_na=False)
        assert told.pop("out") == str(out_file)
        assert told.pop("pairs") == len(rows)
        assert told.pop("complete") is (code == 0) is (code != 3)
        for kind, count in told.items():  # both numbers in one line of the text, too
            assert f"{kind.replace('_', ' ').capitalize()}: {count['drawn']:,} of {count['asked']:,}" in text
        return code, rows, {kind: (count["drawn"], count["asked"]) for kind, count in told.items()}

    code, rows, kinds = drawn("phenomena", "sample:iss", "--draw", "200")
    assert (code, kinds) == (3, {"same_event": (136, 200), "different_events": (6, 200)})
    assert Counter(rows["label"]) == {1: 136, 0: 6}
    code, rows, kinds = drawn("phenomena", "sample:iss", "--draw", "6")
    assert (code, kinds) == (0, {"same_event": (6, 6), "different_events": (6, 6)})
    code, rows, kinds = drawn("sample", "sample:iss")
    assert (code, kinds["joined"], kinds["joined_by_none"]) == (3, (125, 200), (20, 20))
    assert sum(rows["joined_by"] == "") == 20
    code, _, kinds = drawn("sample", "sample:iss", "--pairs", "30", "--others", "0")
    assert (code, kinds) == (0, {"joined": (30, 30), "joined_by_none": (0, 0)})
    code, _, kinds = drawn("sample", "sample:iss", "--pairs", "30", "--others", "5000")
    assert (code, kinds["joined_by_none"]) == (3, (1081 - 125, 5000))


BASE = ["sample:iss", "--scorer", "levenshtein", "--threshold", "0.45", "--quiet"]


def run(*arguments):
    done = CliRunner().invoke(consistency, [*BASE, *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_everything_at_once(tmp_path):
    table, suite = tmp_path / "broken.csv", tmp_path / "cases.csv"
    asked = ["--repair", "all", "--make-suite", str(suite), "--out", str(table)]
    studied = ["--checkpoints", "levenshtein", "--checkpoints", "token_overlap"]
    told = json.loads(run(*asked, *studied, "--json"))
    assert told["headlines"] == 47
    counts = told["census"]
    assert (
        counts["triplets"] == 47 * 46 * 45 // 6 == sum(counts[kind] for kind in ("111", "110", "100", "000"))
    )
    transitive = [one for one in told["repairs"]["after"] if one["transitive"]]
    assert len(transitive) >= 4
    assert all(one["census"]["110"] == 0 and one["at_least"] <= one["changed"] for one in transitive)
    assert len(told["study"]["flip_rate"]["values"]) == 2
    assert told["suite"]["checks"]
    assert next(csv.reader(table.open()))[:2] == ["kind", "rank"]
    again = json.loads(run("--suite", str(suite), "--json"))
    assert again["suite"]["checks"] == told["suite"]["checks"]


def test_every_contradiction_is_in_the_table_or_counted(command, tmp_path, monkeypatch):
    table = tmp_path / "broken.csv"

    def written(*more):
        code, out, err = command("consistency", "sample:iss", "--quiet", "--json", "--out", table, *more)
        assert code == 0
        rows = [row["kind"] for row in csv.DictReader(table.open())]
        return json.loads(out), Counter(rows), err

    told, rows, err = written()
    assert (rows["flip"], rows["triangle"]) == (told["commutative"]["flips"], told["census"]["110"])
    assert rows["triangle"] > 1_000
    for kind, left_out in told["left_out"].items():
        assert left_out == rows[kind.removesuffix("s")] - len(told[kind]) > 0
    assert "left out" not in err
    monkeypatch.setenv("HEADLINE_LAB_CONSISTENCY_ROWS", "60")
    again, fewer, err = written()
    assert again == told
    assert set(fewer.values()) == {60}
    for kind, count in rows.items():
        assert f"{count - 60:,} {kind}s" in err


def test_headlines_in_no_pair_are_counted(command, tmp_path):
    dated = tmp_path / "dated.csv"
    dated.write_text(
        "headline,date\nStorm hits,2024-05-01\nCoast hit,2024-05-02\nRain ends,\nFog,2024-05-02\n"
    )
    asked = ("consistency", dated, "--quiet", "--scorer")
    told = json.loads(command(*asked, "time_only", "--json")[1])
    assert (told["not_compared"], told["commutative"]["pairs"]) == (1, 3)
    assert "1 headline was compared with no other" in command(*asked, "time_only")[1]
    assert "compared with no other" not in command(*asked, "levenshtein")[1]


def test_the_threshold_decides_and_pairs_may_be_swapped(pairs, tmp_path, ok):
    out = tmp_path / "out.csv"
    for threshold, expected in (("0", "1"), ("1", "0")):
        told = ok("score", pairs, "--out", out, "--scorer", "tfidf", "--threshold", threshold, "--swapped")
        assert written(out)["same_event"][0] == expected
        assert "swapped" in told


def test_notes_are_of_the_rows_that_are_used(command, tmp_path):
    pairs = tmp_path / "pairs.csv"
    rows = (
        "Storm,Storms,someday,2024-05-01",
        ",Storms,yesterday,01/02/2024",
        "Storm,7,2024-05-01,2999-01-01",
    )
    pairs.write_text("\n".join(["headline_a,headline_b,date_a,date_b", *rows]))
    asked = ("score", pairs, "--out", tmp_path / "scores.csv", "--scorer", "levenshtein", "--json")
    (note,) = json.loads(command(*asked)[1])["notes"]
    assert "row 1" in note
    assert "yesterday" not in note
