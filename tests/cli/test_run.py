"""`run`: the figures of a task are those of outside libraries, and what does not fit is refused."""

import csv
import json
import random
import re

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from scipy.stats import sem, t
from sklearn.metrics import adjusted_mutual_info_score, f1_score

import research.tasks.pairs
from core.groups.quality import quality
from core.statistics.bootstrap import Figure
from research.benchmark.results import BenchmarkCell, BenchmarkSet, BenchmarkSystem
from research.tasks.run import TaskBenchmark
from tests.cli.test_benchmark_groups import EVENTS

VERB = ("run",)
PAIRS = """
unit = "pairs"
data = "pairs.csv"
slices = ["days apart", "length", "column:desk"]
against = "Wrong"
[fields]
headline_a = "first"
headline_b = "second"
[[systems]]
name = "Letters"
method = "levenshtein"
[[systems]]
name = "Right"
file = "right.csv"
[[systems]]
name = "Wrong"
file = "wrong.csv"
"""


def table(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def cells(folder, part=""):
    found = json.loads((folder / "table.json").read_text())["cells"]
    return {cell["system"]: cell for cell in found if cell["part"] == part}


@pytest.fixture
def pairs(tmp_path):
    """Sixty pairs of headlines; Right says what people say, Wrong does of the economy, mostly."""
    drawn = random.Random(3)
    rows, right, wrong = [], [], []
    for number in range(60):
        place = "".join(drawn.choices("abdelnorst", k=6)).title()
        label, desk = number % 2, "economy" if number % 3 else "sport"
        other = f"{place} strike goes on" if label else f"Storm over {place[::-1]} kills {number}"
        days = {"date_a": "2024-05-01", "date_b": f"2024-05-0{1 + number // 2 % 4}"}
        both = {"first": f"Strike goes on in {place}", "second": other}
        rows.append({**both, "label": label, "desk": desk, **days})
        answer = {"headline_a": both["first"], "headline_b": both["second"]}
        right.append({**answer, "same_event": label})
        wrong.append({**answer, "same_event": label if desk == "economy" and number % 10 else 1 - label})
    table(tmp_path / "pairs.csv", rows)
    table(tmp_path / "right.csv", right)
    table(tmp_path / "wrong.csv", drawn.sample(wrong, len(wrong)))  # joined by headlines, in any order
    (tmp_path / "task.toml").write_text(PAIRS)
    return tmp_path


def test_figures_of_pairs_and_their_slices_are_those_of_scikit_learn(pairs, ok):
    ok(pairs / "task.toml", "--quiet")
    folder = pairs / "task_run"
    items = rows_of(folder / "items.csv")
    assert len(items) == 60
    for part in ["", "column:desk: economy", "column:desk: sport", "days apart: 0", "days apart: 3"]:
        division, _, label = part.rpartition(": ")
        own = [item for item in items if not part or item[division] in (label, f"{label}.0")]
        truth = [int(item["label"]) for item in own]
        found = cells(folder, part)
        for name in ("Letters", "Right", "Wrong"):
            expected = f1_score(truth, [int(item[name]) for item in own])
            assert found[name]["count"] == len(own)
            assert found[name]["figures"]["f1"]["value"] == pytest.approx(expected)
            low, high = (found[name]["figures"]["f1"][end] for end in ("low", "high"))
            assert low is None or low <= expected <= high
    whole = cells(folder)
    assert whole["Right"]["figures"]["f1"]["value"] == 1
    assert whole["Right"]["figures"]["f1"]["p"] < 0.05
    assert whole["Wrong"]["figures"]["f1"]["p"] is None
    tested = json.loads((folder / "table.json").read_text())["comparisons"]
    gap = next(pair for pair in tested if (pair["one"], pair["measure"]) == ("Right", "f1"))
    assert gap["difference"]["value"] == pytest.approx(1 - whole["Wrong"]["figures"]["f1"]["value"])
    assert gap["corrected"] == whole["Right"]["figures"]["f1"]["p"] > gap["difference"]["p"]
    sport = cells(folder, "column:desk: sport")
    assert (sport["Right"]["figures"]["f1"]["value"], sport["Wrong"]["figures"]["f1"]["value"]) == (1, 0)


def test_a_folder_holds_the_table_in_three_forms_a_report_and_the_environment(pairs, ok):
    task = pairs / "task.toml"
    task.write_text('title = "<b>Ours</b> & {{ 7 * 7 }}"\n' + PAIRS)
    ok(task, "--out", pairs / "out", "--quiet")
    folder = pairs / "out"
    assert (folder / "task.toml").read_bytes() == task.read_bytes()
    filed = {(row["system"], row["part"], row["measure"]): row for row in rows_of(folder / "table.csv")}
    for name, cell in cells(folder).items():
        value = cell["figures"]["f1"]["value"]
        assert float(filed[name, "", "f1"]["value"]) == pytest.approx(value)
        assert f"{value:.3f}" in (folder / "table.tex").read_text()
        assert f"{value:.3f}" in (folder / "report.html").read_text()
    report = (folder / "report.html").read_text()
    assert "<b>Ours" not in report
    assert "{{ 7 * 7 }}" in report
    assert f"numpy=={np.__version__}" in (folder / "environment.txt").read_text().splitlines()


@pytest.mark.slow
def test_a_second_run_asks_no_system_again_but_one_whose_file_changed(pairs, ok, monkeypatch):
    ok(pairs / "task.toml", "--quiet")
    first, asked, ask = cells(pairs / "task_run"), [], research.tasks.pairs.PairItems.ask

    def counted(items, system, runtime):
        asked.append(system.name)
        return ask(items, system, runtime)

    monkeypatch.setattr(research.tasks.pairs.PairItems, "ask", counted)
    ok(pairs / "task.toml", "--quiet")
    assert asked == []
    assert cells(pairs / "task_run") == first
    (pairs / "wrong.csv").write_bytes((pairs / "right.csv").read_bytes())
    ok(pairs / "task.toml", "--quiet")
    assert asked == ["Wrong"]
    assert cells(pairs / "task_run")["Wrong"]["figures"]["f1"]["value"] == 1


@pytest.mark.slow
def test_runs_compared_say_what_changed_and_which_differences_hold(pairs, ok, refused):
    ok(pairs / "task.toml", "--out", pairs / "before", "--quiet")
    (pairs / "wrong.csv").write_bytes((pairs / "right.csv").read_bytes())
    text = PAIRS.replace('"levenshtein"', '"levenshtein|case_sensitive:false"')
    (pairs / "task.toml").write_text(text.replace("[fields]", "seeds = [4]\n[fields]"))
    ok(pairs / "task.toml", "--out", pairs / "after", "--quiet")
    told = ok("--compare", pairs / "before", pairs / "after")
    assert "seeds: (0,) → (4,)" in told
    assert "case_sensitive:false" in told
    rows = json.loads(ok("--compare", "--json", pairs / "before", pairs / "after"))
    by = {(row["system"], row["measure"]): row for row in rows}
    assert by["Wrong", "f1"]["holds"] == "yes"
    gap = by["Wrong", "f1"]["after"] - by["Wrong", "f1"]["before"]
    assert by["Wrong", "f1"]["difference"] == pytest.approx(gap)
    assert (by["Right", "f1"]["difference"], by["Right", "f1"]["holds"]) == (0, "no")
    kept = rows_of(pairs / "pairs.csv")[:-2]
    table(pairs / "pairs.csv", kept)
    assert "other data" in refused(pairs / "task.toml", "--out", pairs / "after")
    ok(pairs / "task.toml", "--out", pairs / "fewer", "--quiet")
    assert "different data" in refused("--compare", pairs / "before", pairs / "fewer")


def test_a_task_on_headlines_gives_the_rouge_of_rouge_score_and_means_over_seeds(tmp_path, ok):
    articles, written = [], []
    for number in range(12):
        text = f"A storm hit town {number} on Monday. " + "It rained for hours. " * (number + 1)
        articles.append({"id": f"a{number}", "text": text, "headline": f"Storm hits town {number} on Monday"})
        written.append({"id": f"a{number}", "headline": f"Town {number}: rain" if number % 2 else text[:36]})
    table(tmp_path / "articles.csv", articles)
    table(tmp_path / "ours.csv", written[::-1])  # joined by id
    (tmp_path / "task.toml").write_text(
        'unit = "headlines"\ndata = "articles.csv"\n'
        'metrics = ["rouge"]\nslices = ["length"]\nseeds = [1, 2]\n'
        '[[systems]]\nname = "ours"\nfile = "ours.csv"\n'
        '[[systems]]\nname = "first"\nmethod = "first-sentence"\n'
    )
    ok(tmp_path / "task.toml", "--quiet")
    scorer = RougeScorer(["rouge1"], use_stemmer=True)
    lines = zip(articles, written, strict=True)
    scores = [scorer.score(a["headline"], w["headline"])["rouge1"].fmeasure for a, w in lines]
    whole = cells(tmp_path / "task_run")
    assert whole["ours"]["figures"]["rouge1"]["value"] == pytest.approx(np.mean(scores))
    assert {cells(tmp_path / "task_run", f"seed: {seed}")["ours"]["count"] for seed in (1, 2)} == {12}
    by_length = [cell for name, cell in parts(tmp_path / "task_run", "length", "ours")]
    assert sum(cell["count"] for cell in by_length) == 12
    means = [cell["count"] * cell["figures"]["rouge1"]["value"] for cell in by_length]
    assert sum(means) / 12 == pytest.approx(np.mean(scores))


def parts(folder, division, system):
    found = json.loads((folder / "table.json").read_text())["cells"]
    return [(c["part"], c) for c in found if c["part"].startswith(f"{division}: ") and c["system"] == system]


def test_a_sweep_is_a_system_a_setting_and_says_what_seeds_explain(pairs, ok, refused):
    words = 'unit = "headlines"\ndata = "articles.csv"\nmetrics = ["rouge"]\nseeds = [1, 2, 3]\n'
    words += '[[systems]]\nname = "Lead"\nmethod = "first_sentence"\nsweep = { most_words = [2, 6] }\n'
    table(pairs / "articles.csv", [
        {"text": f"A storm hit the town of {place} on Monday.", "headline": f"Storm hits {place}"}
        for place in ("Arden", "Corville", "Hadley")
    ])  # fmt: skip
    (pairs / "sweep.toml").write_text(words)
    ok(pairs / "sweep.toml", "--quiet")
    whole = cells(pairs / "sweep_run")
    assert list(whole) == ["Lead, most_words 2", "Lead, most_words 6"]
    assert all(f"most_words:{n}" in cell["signature"] for n, cell in zip((2, 6), whole.values(), strict=True))
    tex = (pairs / "sweep_run" / "table.tex").read_text()
    assert "over seeds" in tex
    assert "the system explains 100" in tex  # a first sentence hangs on no seed
    (pairs / "sweep.toml").write_text(words.replace("most_words = [2, 6]", "most_words = []"))
    assert "needs a name of its own" in refused(pairs / "sweep.toml")
    many = words.replace("[2, 6]", str(list(range(1, 203))))
    of_file = words.replace('method = "first_sentence"', 'file = "articles.csv"')
    for wrong in (many, of_file):
        (pairs / "sweep.toml").write_text(wrong)
        assert "sweep of Lead" in refused(pairs / "sweep.toml")


def test_mean_deviation_interval_and_what_seeds_explain_are_those_of_the_figures():
    """Three systems, four seeds: the expected mean squares of a two-way table with one value a cell."""
    points = np.array([[0.50, 0.52, 0.49, 0.53], [0.60, 0.66, 0.61, 0.65], [0.40, 0.41, 0.37, 0.44]])
    task = {"unit": "pairs", "data": "x", "seeds": [0, 1, 2, 3], "systems": [{"name": n} for n in "abc"]}
    made = [
        BenchmarkCell(set="x", system=name, part=f"seed: {seed}", figures={"f1": Figure(value)})
        for name, row in zip("abc", points.tolist(), strict=True)
        for seed, value in enumerate(row)
    ]
    bench = TaskBenchmark(
        date="2026-01-01", program="p", machine={}, seed=0, resamples=2000, cells=tuple(made),
        settings={"task": task, "better": {"f1": "higher"}}, sets=(BenchmarkSet(key="x", name="x"),),
        systems=tuple(BenchmarkSystem(key=name, name=name) for name in "abc"),
    )  # fmt: skip
    summary = list(bench.tables(bench.sets[0], brief=False))[-1]
    for row, values in zip(summary.rows, points, strict=True):
        low, high = t.interval(0.95, 3, values.mean(), sem(values))
        assert (row[1].value, row[1].low, row[1].high, row[2]) == pytest.approx(
            (values.mean(), low, high, values.std(ddof=1))
        )
    systems, seeds = points.mean(axis=1, keepdims=True), points.mean(axis=0, keepdims=True)
    rest = ((points - systems - seeds + points.mean()) ** 2).sum() / 6
    of_systems = (4 * ((systems - points.mean()) ** 2).sum() / 2 - rest) / 4
    of_seeds = (3 * ((seeds - points.mean()) ** 2).sum() / 3 - rest) / 3
    whole = of_systems + of_seeds + rest
    shares = [int(share) for share in re.findall(r"(\d+) %", summary.notes[1])]
    assert shares == [round(100 * part / whole) for part in (of_systems, of_seeds, rest)]


def test_a_task_on_groups_gives_the_ami_of_scikit_learn_also_of_a_file_of_groups(tmp_path, ok):
    lines = [line for line in EVENTS.splitlines() if ",,6" not in line]
    (tmp_path / "events.csv").write_text("\n".join(lines) + "\n")
    rows = rows_of(tmp_path / "events.csv")
    # What a file says of its languages goes before what its words look like.
    rows = [row | {"language": ("de", "ru")[at % 2]} for at, row in enumerate(rows)]
    table(tmp_path / "events.csv", rows)
    table(tmp_path / "ours.csv", [{"headline": row["headline"], "group": row["pair"]} for row in rows])
    (tmp_path / "task.toml").write_text(
        'unit = "groups"\ndata = "events.csv"\nscorer = "levenshtein"\nslices = ["language"]\n'
        '[fields]\ngold_group = "event"\n[[systems]]\nname = "pairs"\nfile = "ours.csv"\n'
        '[[systems]]\nname = "tree"\nmethod = "average_linkage"\n'
    )
    ok(tmp_path / "task.toml", "--quiet")
    gold, own = ([row[name] for row in rows] for name in ("event", "pair"))
    found = cells(tmp_path / "task_run")
    assert found["pairs"]["figures"]["ami"]["value"] == pytest.approx(adjusted_mutual_info_score(gold, own))
    items = rows_of(tmp_path / "task_run" / "items.csv")
    assert [item["language"] for item in items] == [row["language"] for row in rows]
    latex = (tmp_path / "task_run" / "table.tex").read_text()
    assert latex.count("dagger$ Too few") == latex.count(r"\begin{threeparttable}") > 0
    tree = quality([int(item["tree"]) for item in items], gold)["pair_f1"].value
    assert found["tree"]["figures"]["pair_f1"]["value"] == pytest.approx(tree)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('unit = "pairs"', 'unit = "pears"'), "pears"),
        (("against =", "aganst ="), "aganst"),
        (('"levenshtein"', '"no_such_scorer"'), "no_such_scorer"),
        (('"length"', '"outlet"'), "outlet"),
        (("column:desk", "column:nowhere"), "nowhere"),
        (("[fields]", 'metrics = ["rouge"]\n[fields]'), "rouge"),
        (('"first"', '"no_column"'), "no_column"),
        (('name = "Right"', 'name = "Wrong"'), "name of its own"),
        (('against = "Wrong"', 'against = "Nobody"'), "Nobody"),
        (("[fields]", "seeds = [1, 1]\n[fields]"), "Seeds"),
        (('"right.csv"', '"nowhere.csv"'), "nowhere.csv"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_runs(pairs, refused, change, words):
    assert change[0] in PAIRS
    (pairs / "task.toml").write_text(PAIRS.replace(*change))
    assert words in refused(pairs / "task.toml")
    assert not (pairs / "task_run" / "table.json").exists()


def test_a_system_that_cannot_answer_says_why_and_the_others_are_measured(pairs, call):
    table(pairs / "wrong.csv", [{"headline_a": "Rain", "headline_b": "Snow", "same_event": 1}])
    code, out, _ = call(pairs / "task.toml", "--quiet")
    assert code == 3
    assert "wrong.csv answers none of the 60 pairs" in out
    assert set(cells(pairs / "task_run")) == {"Letters", "Right", "Wrong"}


def test_what_is_no_run_is_refused_with_what_makes_one(pairs, refused):
    assert "headline-lab run TASK" in refused("--compare", pairs, pairs)
    assert "two folders" in refused("--compare", pairs)
