import csv
import json

from click.testing import CliRunner

from cli.pairs import consistency

BASE = ["sample:iss", "--scorer", "levenshtein", "--threshold", "0.45", "--quiet"]


def run(*arguments):
    done = CliRunner().invoke(consistency, [*BASE, *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_both_tests_are_printed():
    text = run()
    assert "Commutative test: 0 of 1,081 decisions flip (0.0 %)" in text
    assert "Transitive test: of " in text
    assert "Repair" not in text


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
