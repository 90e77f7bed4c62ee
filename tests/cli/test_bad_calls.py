from pathlib import Path

import pytest

FILES = {
    "articles.csv": "id,text,headline\nn0,A storm hit the coast.,Storm hits\nn1,Rates rise.,Bank raises\n",
    "bare.csv": "text\nThe council opens a bridge.\n",
    "news.csv": "id,text,summary\na,Three people died.,3 Dead\n",
    "article.txt": "Three people died.",
    "ours.txt": "Storm hits\nBank raises\n",
    "theirs.txt": "Storm\nBank\n",
    "short.txt": "Storm hits\n",
    "headlines.csv": "headline,date\nRain,2024-05-01\n",
    "pairs.csv": "headline_a,headline_b\nStorm,Storms\n",
    "groups.csv": "headline,group\nA storm,1\nA bank,1\n",
    "single.csv": "headline,group\nA storm,1\n",
    "ratings.csv": "judge,article,system,readability\nAda,1,A,5\n",
}


def nested(depth, inner="levenshtein"):
    return inner if not depth else nested(depth - 1, f"with_time|base:({inner})")


WORDS = {
    "many": nested(900),
    "endless": "x" * 5_000,
    "blank": " \u200b",
    "encoder": "transformers_encoder.v1|model",
}
SCORE = "score pairs.csv --out out.csv --scorer levenshtein"
BUILD = "pairs build groups.csv --out pairs.json"
COMPARE = "compare ours.txt --articles articles.csv --out out --metrics rouge"
WRITE = "write bare.csv --out out.csv --system first_sentence"
BAD = {
    "agreement groups sample:iss": "fewer than two annotators",
    "agreement votes nowhere.csv": "nowhere.csv",
    "agreement votes ratings.csv --out x.csv": "--decide",
    "archive nowhere.csv --out archive": "cannot be read",
    "live headlines.csv --every nan --once": "nan is no number from 1 to 86400",
    "nosuch": "nosuch",
    "benchmark pairs --set hlgd_sample --scorer no_such": "no row and no pair scorer called 'no_such'",
    "benchmark pairs --set hlgd_sample --out news.csv/folder": "cannot be made",
    "benchmark numerals --limit -1": "x>=0",
    f"{SCORE} --out pairs.csv": "is the file that is read",
    "group headlines.csv --out ./headlines.csv": "is the file that is read",
    f"{COMPARE} --against nobody": "No system is called 'nobody'",
    f"{COMPARE} --language English": "not the code of a language",
    f"{COMPARE} --numbers n.txt": "--articles and --numbers both say",
    "compare ours.txt --types t.txt --out out": "--types and --references belong to --numbers",
    "compare short.txt --articles articles.csv --out out": "short.txt",
    "compare ours.txt theirs.txt --out out": "None of the 2 files holds both articles and headlines.",
    "evaluate table ratings.csv --form nosuch": "There is no evaluation form called 'nosuch'.",
    "group no-such-file.csv": "no-such-file.csv",
    "group headlines.csv --granularity nan": "granularity",
    "group headlines.csv --encoder {encoder}:owner/name": "owner/name",
    "group headlines.csv --out groups.docx": "groups.docx",
    "group headlines.csv --column headline": "FIELD=NAME",
    "group headlines.csv --ask": "needs a terminal",
    "judge --name Mine --articles sample:articles": "There is no command to run.",
    "judge --name Mine --articles bare.csv -- true": "headline to score against",
    "numerals check article.txt": "There is no headline to check.",
    "numerals check article.txt --headline {blank}": "A headline is empty.",
    "numerals check article.txt --headline 3 --out out.csv": "--out is for tables",
    "numerals check article.txt --headline 3 --threshold 2": "--threshold",
    "numerals check news.csv --headline 3": "is a table",
    "numerals check headlines.csv --out out.csv": "no column",
    "numerals check news.csv": "There is no place to write the table to.",
    "numerals check news.csv --out out.csv --column moon": "has no column 'moon'",
    "numerals check news.csv --out out.csv --processes -1": "--processes",
    "numerals score": "There are no headlines to check",
    "numerals score --articles bare.csv": "bare holds no headlines by people",
    "pairs stats hlgd.v1|path:/nowhere": "does not hold HLGD",
    "pairs build sample:iss --out pairs.xlsx": "End the name in .json or .csv",
    "pairs build sample:numhg --out pairs.json": "neither gold groups nor annotators",
    "pairs build single.csv --out pairs.json": "no group has two",
    f"{BUILD} --window nan": "window cannot be nan",
    "score headlines.csv --out out.csv": "headline_a",
    "score . --out out.csv": "",
    "score /dev/null --out out.csv": "/dev/null",
    f"{SCORE} --scorer telepathy": "'telepathy'",
    f"{SCORE} --scorer with_time|base:(": "do not match",
    f"{SCORE} --scorer {{many}}": "More than 8",
    f"{SCORE} --threshold nan": "nan is no number from 0 to 1",
    f"{SCORE} --out .": "is a folder",
    f"{SCORE} --out /dev/full": "is a device",
    f"{SCORE} --out {{endless}}.csv": "cannot be written",
    "group groups.csv --scorer with_time|base:(levenshtein)": "none of the 2 headlines has one",
    "train pair --resume --out nowhere": "holds no training run",
    "train pair iss --out run": "the ISS sample is for testing alone",
    "train pair hlgd_sample --out run --trainer copynet": "copynet.v1 trains something else",
    "train pair hlgd_sample --out run --epochs 0": "epochs cannot be 0",
    f"{WRITE} --system moon": "There is no headline generator called 'moon'.",
    f"{WRITE} --top-p 2": "must be above 0",
    f"{WRITE} --out out.docx": "does not end in a known format",
}
"""Words of the sentence by the words of the call."""


@pytest.mark.slow
@pytest.mark.parametrize(("line", "says"), BAD.items(), ids=list(BAD))
def test_a_bad_call_is_one_sentence_and_leaves_nothing(line, says, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    code, out, err = command(*(word.format(**WORDS) for word in line.split()))
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == set(FILES)
