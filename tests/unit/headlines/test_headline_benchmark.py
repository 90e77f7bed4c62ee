import csv
import io
from dataclasses import replace

import pytest

from core.data.articles.articles import articles_of
from core.headlines.comparison.published import SOURCES
from core.runtime import Runtime
from research.benchmark.headlines.generated import headlines_of
from research.benchmark.headlines.run import measure_writers, one_an_event
from research.benchmark.headlines.tables import FILE, row

TEXTS = [f"Rocket {number} lands on the moon. It took {number} days." for number in range(70)]
EXTRACTIVE = ("first_sentence", "lead_one", "textrank")


@pytest.fixture(scope="module")
def found(shared, tmp_path_factory):
    chosen = [row(key) for key in (*EXTRACTIVE, "semeval_cz", "bart")]
    runtime = Runtime(cache=tmp_path_factory.mktemp("cache"))
    return measure_writers(
        runtime,
        sets=["numeval", "telegram_ru_events"],
        rows=chosen,
        metrics=["rouge"],
        limit=12,
        resamples=200,
    )


def test_published_figures_are_those_of_the_papers(shared):
    papers = shared / "papers"
    if not papers.is_dir():
        pytest.skip("the papers are not beside the checkout")
    text = {number: next(papers.glob(f"{number}_*.txt")).read_text() for number in ("001", "003", "004")}
    paper = {
        "numhg": "003", "numhg_people": "003", "dialogue2021": "001", "dialogue2019": "004",
        "ria": "004",
    }  # fmt: skip
    assert {one.key for one in SOURCES} == set(paper)
    for source, one in ((table, one) for table in SOURCES for one in table.systems):
        name = one.system.partition(" (")[0]
        if name == "First sentence":
            continue
        lines = text[paper[source.key]].replace("\t", " ").splitlines()
        at = [" ".join(lines[k : k + 3]) for k in range(len(lines))]
        key = {"LOLKEK": "K 38.7", "Seq2seq RuBERT": "T 44.9", "SEASON": "Season"}.get(name, name)
        digits = [f"{value:.2f}" if source.key == "numhg" else f"{value:g}" for value in one.values]
        assert any(key in line and all(digit in line for digit in digits) for line in at), one


def test_other_settings_and_seeds_write_anew(tmp_path):
    runtime = Runtime(cache=tmp_path)
    headlines_of(TEXTS[:3], "first_sentence", runtime)
    assert headlines_of(TEXTS[:3], "first_sentence|most_words:2", runtime).headlines[0] == "Rocket 0"
    assert headlines_of(TEXTS[:3], "first_sentence", replace(runtime, seed=1)).kept == 0


def test_an_event_has_one_article_and_all_headlines():
    given = articles_of(
        "five",
        ["a", "b", "c", "d", "e"],
        references=[("A",), ("B",), ("C",), ("B",), ("E",)],
        clusters=["x", "y", "", "y", "y"],
    )
    found = one_an_event(given)
    assert found.clusters == ("x", "y")
    assert found.references == (("A",), ("B", "E"))
    assert found.texts[1] in {"b", "d", "e"}


@pytest.mark.slow
def test_every_row_has_a_figure_or_a_reason(found):
    assert len(found.cells) == 10
    for cell in found.cells:
        assert bool(cell.why_not) != bool(cell.figures)
    assert found.cell("numeval", "semeval_cz").figures["rougeL"].value > 0
    assert found.cell("numeval", "semeval_cz").seconds is None
    assert "alone" in found.cell("numeval", "lead_one").why_not
    assert found.cell("numeval", "bart").why_not.startswith("Needs the hub: ")
    assert found.cell("telegram_ru_events", "bart").why_not == "It writes English only."
    lead, first = (
        {
            name: (one.value, one.interval)
            for name, one in found.cell("telegram_ru_events", row).figures.items()
        }
        for row in ("lead_one", "first_sentence")
    )
    assert lead == first


def test_tables_tell_all(found):
    text, page, latex = found.as_text(), found.as_markdown(), found.as_latex()
    assert "12 of 2,365 articles, drawn with seed 0." in text
    assert "12 of 2,365 articles, drawn with seed 0." in page
    assert "| BRIO | 66.56 | 70.43 |" in page
    # In each set the best of ROUGE-1, ROUGE-2 and so on is bold where it is better than all others.
    assert latex.count(r"\textbf{") == 4
    lines = list(csv.DictReader(io.StringIO(found.as_csv())))
    assert {line["row"] for line in lines} == {*EXTRACTIVE, "semeval_cz", "bart"}
    assert all(line["value"] or line["why_not"] for line in lines)
    assert FILE.from_json(FILE.to_json(found)) == found
    assert found.sets[0].count == 12
