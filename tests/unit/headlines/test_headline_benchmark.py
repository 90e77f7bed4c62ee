"""The benchmark of headline generators: rows, sets, kept headlines, figures and tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.data.files import sample
from core.errors import Cancelled, UnknownNameError
from core.headlines.comparison.table import PUBLISHED, SOURCES
from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.generators import sentences
from core.runtime import Runtime
from research.benchmark.headlines import generation
from research.benchmark.headlines.generation import headlines_of, model_facts, row
from research.benchmark.headlines.run import run
from research.benchmark.headlines.sets import (
    FILE,
    HeadlineBenchmark,
    find_set,
    one_an_event,
    open_set,
)
from research.benchmark.headlines.tables import as_csv, as_latex, as_markdown, as_text

TEXTS = [f"Rocket {number} lands on the moon. It took {number} days." for number in range(70)]
EXTRACTIVE = ("first_sentence", "lead_one", "textrank")


@pytest.fixture(scope="module")
def found(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> HeadlineBenchmark:
    chosen = [row(key) for key in (*EXTRACTIVE, "semeval_cz", "bart")]
    runtime = Runtime(cache=tmp_path_factory.mktemp("cache"))
    return run(
        runtime,
        sets=["numeval", "telegram_ru_events"],
        rows=chosen,
        metrics=["rouge"],
        limit=12,
        resamples=200,
    )


def test_a_generator_has_a_row_of_its_own() -> None:
    asked = row("first-sentence|most_words:5")
    assert asked.signature == "first_sentence.v1|most_words:5"
    assert row("first-sentence") == row("first_sentence")
    with pytest.raises(UnknownNameError, match="no row and no headline generator called 'nothing'"):
        row("nothing")


def test_published_figures_are_those_of_the_papers(shared: Path) -> None:
    papers = shared / "papers"
    if not papers.is_dir():
        pytest.skip("the papers are not beside the checkout")
    text = {number: next(papers.glob(f"{number}_*.txt")).read_text() for number in ("001", "003", "004")}
    paper = {
        "numhg": "003",
        "numhg_people": "003",
        "dialogue2021": "001",
        "dialogue2019": "004",
        "ria": "004",
    }
    assert {one.key for one in SOURCES} == set(paper)
    for one in PUBLISHED:
        name = one.system.partition(" (")[0]
        if name == "First sentence":
            continue
        lines = text[paper[one.source]].replace("\t", " ").splitlines()
        at = [" ".join(lines[k : k + 3]) for k in range(len(lines))]
        key = {"LOLKEK": "K 38.7", "Seq2seq RuBERT": "T 44.9", "SEASON": "Season"}.get(name, name)
        digits = [f"{value:.2f}" if one.source == "numhg" else f"{value:g}" for value in one.figures.values()]
        assert any(key in line and all(digit in line for digit in digits) for line in at), one


def test_headlines_are_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime(cache=tmp_path)
    first = headlines_of(TEXTS[:40], "first_sentence", runtime)
    assert first.headlines[3] == "Rocket 3 lands on the moon."
    assert (first.kept, first.signature) == (0, "first_sentence.v1|most_words:0")
    monkeypatch.setattr(sentences.FirstSentence, "build", None)
    again = headlines_of(TEXTS[30:40], "first_sentence", runtime)
    assert again.headlines == first.headlines[30:]
    assert (again.kept, again.seconds > 0) == (10, True)


def test_what_was_written_before_a_stop_is_kept(tmp_path: Path) -> None:
    runtime = Runtime(cache=tmp_path)
    seen: list[int] = []

    def stop_soon(step: str, done: int, total: int) -> None:
        seen.append(done)
        if done >= generation.AT_ONCE:
            runtime.stop.set()

    with pytest.raises(Cancelled):
        headlines_of(TEXTS, "first_sentence", replace(runtime, report=stop_soon))
    runtime.stop.clear()
    assert headlines_of(TEXTS, "first_sentence", runtime).kept == generation.AT_ONCE


def test_a_damaged_line_is_written_again(tmp_path: Path) -> None:
    runtime = Runtime(cache=tmp_path)
    whole = headlines_of(TEXTS[:5], "first_sentence", runtime)
    file = next(tmp_path.rglob("*.jsonl"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:3], lines[3][:20]]))
    again = headlines_of(TEXTS[:5], "first_sentence", runtime)
    assert again.headlines == whole.headlines
    assert again.kept == 3


def test_other_settings_and_seeds_write_anew(tmp_path: Path) -> None:
    runtime = Runtime(cache=tmp_path)
    headlines_of(TEXTS[:3], "first_sentence", runtime)
    assert headlines_of(TEXTS[:3], "first_sentence|most_words:2", runtime).headlines[0] == "Rocket 0"
    assert headlines_of(TEXTS[:3], "first_sentence", replace(runtime, seed=1)).kept == 0


def test_an_event_has_one_article_and_all_headlines() -> None:
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


def test_the_published_headlines_stand_with_their_articles(shared: Path) -> None:
    opened = open_set(find_set("numeval"), limit=50)
    whole = open_set(find_set("numeval"))
    rows = sample(2365, 50, seed=0)
    assert list(opened.predictions) == ["michal", "cz"]
    assert opened.predictions["cz"].headlines == tuple(whole.predictions["cz"].headlines[k] for k in rows)
    assert opened.facts.notes == ("50 of 2,365 articles, drawn with seed 0.",)


@pytest.mark.slow
def test_every_row_has_a_figure_or_a_reason(found: HeadlineBenchmark) -> None:
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


def test_tables_tell_all(found: HeadlineBenchmark) -> None:
    text, page, latex = as_text(found), as_markdown(found), as_latex(found)
    assert "12 of 2,365 articles, drawn with seed 0." in text
    assert "12 of 2,365 articles, drawn with seed 0." in page
    assert "| BRIO | 66.56 | 70.43 |" in page
    assert latex.count(r"\textbf{") >= 8
    lines = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert {line["row"] for line in lines} == {*EXTRACTIVE, "semeval_cz", "bart"}
    assert all(line["value"] or line["why_not"] for line in lines)
    assert FILE.from_json(FILE.to_json(found)) == found
    assert found.sets[0].count == 12


def test_a_set_that_is_missing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    found = run(Runtime(cache=tmp_path), sets=["numhg"], rows=[row("first_sentence")], metrics=["rouge"])
    assert "not on this machine" in found.sets[0].why_not
    assert found.cells == ()
    assert "not on this machine" in as_text(found)


def test_an_error_in_one_system_costs_no_other(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    class Broken:
        def write(
            self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
        ) -> list[list[HeadlineCandidate]]:
            raise ZeroDivisionError

    monkeypatch.setattr(sentences.TextRank, "build", lambda self, runtime: Broken())
    found = run(
        Runtime(cache=tmp_path),
        sets=["telegram_en"],
        rows=[row("textrank"), row("first_sentence")],
        metrics=["rouge"],
        limit=5,
        resamples=50,
    )
    assert "ZeroDivisionError" in found.cell("telegram_en", "textrank").why_not
    assert found.cell("telegram_en", "first_sentence").figures


def test_a_models_folder_tells_how_it_learned(tmp_path: Path) -> None:
    from dataclasses import dataclass

    from safetensors.numpy import save_file

    @dataclass
    class Recipe:
        model: str

    folder = tmp_path / "model"
    folder.mkdir()
    save_file(
        {"one": np.zeros((3, 4), np.float16), "two": np.zeros(5, np.float32)}, folder / "model.safetensors"
    )
    (folder / "README.md").write_text(
        "| setting | value |\n| --- | --- |\n| steps done | 900 |\n| best step | 600 |\n| seconds | 1,234 |\n"
        "| device | cpu |\n"
    )
    (folder / "headline_model.json").write_text('{"language": "ru"}')
    facts = model_facts(Recipe(str(folder)))
    assert facts is not None
    assert (facts.parameters, facts.seconds, facts.device, facts.language) == (17, 1234.0, "cpu", "ru")
    assert facts.chosen_on == "validation, step 600 of 900"
    assert model_facts(Recipe(str(tmp_path / "none"))) is None
