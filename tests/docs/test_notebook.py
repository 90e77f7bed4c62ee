"""The Python examples of the README run as they stand, and the public front is as large as it says."""

import re
import subprocess
import sys

import pytest

import headline_lab
from core.errors import InputError
from core.files import ROOT

EXAMPLES = re.findall(
    r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S
)


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


def test_every_name_is_there_and_importing_them_is_light():
    assert len(headline_lab.__all__) <= 15
    assert all(callable(getattr(headline_lab, name)) for name in headline_lab.__all__)
    code = "import sys, headline_lab; print(sorted({'torch', 'pandas', 'streamlit'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
