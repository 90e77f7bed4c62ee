"""The README: what its commands install, on which Python and system, and its examples run as they stand."""

import importlib.util
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import headline_lab
from core.errors import InputError
from core.files import ROOT
from core.models.cards import Package, cards
from tests.programs import finished, printed

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SPEC = importlib.util.spec_from_file_location("lock", ROOT / "requirements/lock.py")
assert SPEC
assert SPEC.loader
lock = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lock)

PIP = """#!/bin/sh
case "$*" in
    *cpu.txt*) [ -n "$SAYS" ] && echo "$SAYS" >&2 && exit 1; touch "$0.torch" ;;
    *cuda.txt*) touch "$0.cuda" ;;
esac
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
@pytest.mark.parametrize(
    ("says", "code", "cuda"),
    [
        ("", 0, False),
        ("ERROR: No matching distribution found for torch==2.13.0+cpu", 0, True),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", 2, False),
    ],
)
def test_a_cpu_build_with_another_hash_is_not_called_absent(tmp_path, says, code, *, cuda):
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "requirements"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "pip").write_text(PIP)
    bin_folder = tmp_path / ".venv/bin"
    (tmp_path / "python").write_text(
        f"#!/bin/sh\nmkdir -p {bin_folder}\ncp {tmp_path}/pip {bin_folder}/pip\n"
        f'printf "#!/bin/sh\\n[ -e {bin_folder}/pip.torch ]\\n" > {bin_folder}/python\n'
        f"chmod +x {bin_folder}/*\n"
    )
    (tmp_path / "python").chmod(0o755)
    done = finished("make", "install", f"PYTHON={tmp_path}/python", cwd=tmp_path, SAYS=says)
    assert done.returncode == code, done.stderr
    assert (bin_folder / "pip.cuda").exists() is cuda
    assert ("No CPU build" in done.stdout) is cuda
    assert (says in done.stderr) is (code != 0) or not says


def test_windows_gets_what_make_does():
    block = next(text for text in README.split("```") if "py -m venv" in text).replace("\\", "/")
    files = set(re.findall(r"-r (\S+)", block))
    made = set(re.findall(r"PIP_INSTALL\) -r (?:\$\(VENV\)/)?(\S+\.txt)\n", MAKEFILE))
    assert files == made - {"requirements/bench.txt", "requirements/docs.txt"}
    assert all("--no-deps" in line for line in block.splitlines() if "pip install" in line)
    for same in ("--no-build-isolation -e .", "streamlit run app.py"):
        assert same in block
        assert same in MAKEFILE
    (marks,) = re.findall(r'-m "(.+)"', block)
    unit = re.findall(r'-m "(.+)"', MAKEFILE.partition("\nunit:")[2])[0]
    assert marks == f"journey or {unit}"


def test_what_a_python_lacks_is_left_out_there_and_said():
    lacking = {
        python: lock.pins("3.11", "Windows").keys() - lock.pins(python, "Windows").keys()
        for python in lock.PYTHONS
    }
    assert lacking["3.12"] == set()
    assert lacking["3.13"] == {"floret"}  # which the app does without
    assert "floret" not in (ROOT / "requirements/app.in").read_text(encoding="utf-8")
    named = {"floret", "wordllama", "traceforge-title-model"}
    # What stands for fasttext-predict there has the same module; toml is for WordLlama alone.
    assert lacking["3.14"] == named | {"fasttext-predict", "toml"}
    assert "fasttext-predict-v2" in lock.pins("3.14", "Windows")
    assert all(f"`{name}`" in README for name in named)
    assert all(python in README for python in lock.PYTHONS)
    newest = {
        card.source.distribution.partition("==")[0]: card.source.python
        for card in cards()
        if isinstance(card.source, Package) and card.source.python
    }
    assert newest == dict.fromkeys(named - {"floret"}, "3.13")


EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.M | re.S)


def test_the_example_of_the_readme_runs():
    assert len(EXAMPLES) == 1
    found: dict[str, object] = {}
    exec(EXAMPLES[0], found)
    groups, pairs, numerals = (found[name] for name in ("groups", "pairs", "numerals"))
    assert list(groups.columns) == ["headline", "published", "publisher", "group", "story"]
    assert groups["group"].nunique() < len(groups) == 47
    assert groups.attrs["signature"].startswith("headline-lab ")
    assert pairs.loc[0, "same_event"] == 1
    assert numerals[["numeral", "verdict"]].values.tolist() in (
        [["Three", "supported"]],
        [["Three", "found"]],
    )


@pytest.mark.slow
def test_the_command_that_may_hold_back_a_headline_ends_with_the_code_that_is_said():
    gate = r'^echo "(.+)" \| headline-lab (numerals check - --headline) "(.+)"   # exit code (\d)'
    ((article, words, headline, code),) = re.findall(gate, README, re.MULTILINE)
    command = [sys.executable, "-m", "cli", *words.split(), headline]
    ran = subprocess.run(command, cwd=ROOT, input=article, capture_output=True, text=True, check=False)
    assert ran.returncode == int(code) == 1, ran.stderr


def test_no_hint_names_a_file_that_a_wheel_has_not():
    named = {
        path.relative_to(ROOT).as_posix()
        for folder in ("cli", "components", "core", "headline_lab", "pages", "research")
        for path in (*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.toml"))
        if re.search(r"requirements/\w|make install", path.read_text(encoding="utf-8"))
    }
    assert named == set()


def test_every_name_is_there_and_importing_them_is_light():
    assert len(headline_lab.__all__) <= 15
    assert all(callable(getattr(headline_lab, name)) for name in headline_lab.__all__)
    code = "import sys, headline_lab; print(sorted({'torch', 'pandas', 'streamlit'} & set(sys.modules)))"
    assert printed(code).strip() == "[]"


def test_systems_are_compared_and_written_as_a_table():
    systems = {"ours": ["Storm hits the coast", "Bank raises rates"], "theirs": ["A storm", "A bank"]}
    articles = ["A storm hit the coast on Monday.", "The bank raised its rates."]
    table = headline_lab.compare_headlines(
        systems, articles, references=["Storm hits coast", ["Bank raises rates"]], metrics=["rouge"]
    )
    assert list(headline_lab.as_frame(table).iloc[:, 0]) == ["ours", "theirs"]
    assert "ours" in headline_lab.as_latex(table)
    assert headline_lab.as_markdown(table).startswith("|")
    with pytest.raises(InputError, match="headlines"):
        headline_lab.compare_headlines({"ours": ["one"]}, articles)


def test_what_it_says_of_a_headline():
    article = "Three people died in the crash on Monday. It rained."
    assert headline_lab.fill_numeral(article, "____ Dead in Crash") == "3"
    assert headline_lab.write_headlines([article], system="first_sentence") == [
        "Three people died in the crash on Monday."
    ]
    assert headline_lab.contradictions("sample:iss", scorer="levenshtein")["headlines"] == 47
    assert {"pair scorer", "metric of headlines"} & set(headline_lab.methods()["kind"])


def test_every_entry_of_a_list_keeps_its_row():
    headlines = ["Title", "Storm hits coast", "2020", "", None, np.nan, "https://example.org/a"]
    headlines += ["Storm hits coast", "Bank cuts\trates", "- https://example.org/b Storm ends", "----"]
    no_headline = slice(2, 7)
    table = headline_lab.group_headlines(headlines)
    assert table["headline"].iloc[[0, 1, 2, 3, 4, 6]].tolist() == [*headlines[:4], "", headlines[6]]
    assert table["headline"].iloc[7:].tolist() == [" ".join(text.split()) for text in headlines[7:]]
    placed = table[["group", "story"]].notna().all(axis=1)
    assert not placed[no_headline].any()
    assert not placed.iloc[-1]
    assert placed.sum() == len(headlines) - 6
    assert table["group"][1] == table["group"][7] != table["group"][0]
    scored = headline_lab.score_pairs([("A storm", None), ("A storm", "A storm")], scorer="levenshtein")
    assert scored["same_event"].isna().tolist() == [True, False]


def test_a_data_frame_is_read_as_a_file_and_keeps_its_index():
    days = pd.to_datetime(["2024-05-01", None, "2024-05-02"])
    frame = pd.DataFrame(
        {"Title": ["Storm hits coast", None, "Bank cuts rates"], "date": days}, index=[7, 8, 9]
    )
    table = headline_lab.group_headlines(frame)
    assert table.index.tolist() == [7, 8, 9]
    assert table["headline"].tolist() == ["Storm hits coast", "", "Bank cuts rates"]
    assert table["published"].dt.day.tolist()[::2] == [1, 2]
    assert table["group"].isna().tolist() == [False, True, False]
    with pytest.raises(InputError, match="headline column"):
        headline_lab.group_headlines(pd.DataFrame({"size": [1, 2]}))


@pytest.mark.parametrize("given", ["A storm.", {"a": "A storm."}, pd.DataFrame({"a": ["A storm."]}), 5])
def test_what_is_no_list_is_refused_wherever_a_list_is_taken(given):
    calls = [
        lambda: headline_lab.write_headlines(given),
        lambda: headline_lab.compare_headlines({"ours": given}, ["A storm."]),
        lambda: headline_lab.compare_headlines({"ours": ["A storm."]}, given),
        lambda: headline_lab.compare_headlines({"ours": ["A storm."]}, ["A storm."], references=given),
        lambda: headline_lab.compare_headlines({"ours": ["A storm."]}, ["A storm."], metrics=given),
    ]
    for call in calls:
        with pytest.raises(InputError, match="not a list"):
            call()


def test_nothing_in_a_list_is_an_empty_text():
    def scores(*nothing):
        systems = {"ours": [*nothing, "A storm hits", "A bank"]}
        articles = ["Fog.", "A storm hit.", "A bank fails."]
        references = [*nothing, "A storm hits", ["A bank fails"]]
        table = headline_lab.compare_headlines(systems, articles, references=references, metrics=["rouge"])
        return headline_lab.as_csv(table)

    assert scores(None) == scores(np.nan) == scores("")
    assert headline_lab.write_headlines(["A storm hit. It rained.", None], system="first_sentence") == [
        "A storm hit.",
        "",
    ]
    with pytest.raises(InputError, match="empty"):
        headline_lab.check_numerals("Three died.", ["3 Dead", None])
    with pytest.raises(InputError, match="no headline"):
        headline_lab.group_headlines([])
