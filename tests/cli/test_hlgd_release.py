"""HLGD made again from files of the release's form: ten small timelines, five annotators, and a sixth."""

import csv
import json
from itertools import combinations

import pytest
from Levenshtein import ratio
from sklearn.metrics import f1_score

from core.data.pair_sets.load import available_sets

PLACES = (
    "Oakhaven",
    "Velden",
    "Lindholm",
    "Karveda",
    "Brandt",
    "Maren",
    "Tolva",
    "Essel",
    "Norland",
    "Quill",
)
TOLD = (
    ("Ferry runs aground off {}", "Passengers rescued from {} ferry", "{} ferry stuck on sandbank"),
    ("{} mayor resigns over bribes", "Bribery scandal: mayor of {} steps down", "Mayor quits in {}"),
    ("Flood cuts off {} for third day", "{} still under water", "Third day of flooding in {}"),
)
EVENTS = [event for event in range(3) for _ in range(3)]


def release(folder):
    """Pairs of six timelines to train with, of two each to develop and to test, and the timelines."""
    (folder / "timelines").mkdir(parents=True)
    parts = {"train": [], "dev": [], "test": []}
    for at, place in enumerate(PLACES):
        texts = [text.format(place) for told in TOLD for text in told]
        days = [f"2020-01-{1 + event + row % 2:02d}" for row, event in enumerate(EVENTS)]
        sixth = at >= 6
        with (folder / "timelines" / f"{place}.csv").open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["headline", "date", *(f"annot_{k}_group" for k in range(1, 6 + sixth))])
            for row, text in enumerate(texts):
                # The fifth person and the sixth put the last report of the first event apart.
                own = [9 if k > 4 and row == 2 else EVENTS[row] for k in range(1, 6 + sixth)]
                rows.writerow([text, days[row], *own])
        part = "train" if at < 6 else "dev" if at < 8 else "test"
        for a, b in combinations(range(len(texts)), 2):
            pair = {"headline_a": texts[a], "headline_b": texts[b], "day_a": days[a], "day_b": days[b]}
            parts[part].append({**pair, "timeline": place, "cut": part, "label": int(EVENTS[a] == EVENTS[b])})
    for part, pairs in parts.items():
        (folder / f"{part}.json").write_text(json.dumps(pairs), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_every_table_and_figure_is_made_from_the_release(ok, tmp_path):
    folder, out = release(tmp_path / "hlgd"), tmp_path / "out"
    rows = [argument for key in ("time_only", "levenshtein") for argument in ("--system", key)]
    runs = [argument for run in ("levenshtein.v1", "time_only.v1") for argument in ("--checkpoint", run)]
    said = ok("papers", "hlgd", "--run", str(folder), "--out", str(out), *rows, *runs)
    for name in ("Table 1", "Figure 2", "Figure 3", "Table 3", "Section 5"):
        assert name in said
    made = {file.stem: list(csv.DictReader(file.open(encoding="utf-8"))) for file in out.glob("*.csv")}
    assert len(made["table_1"]) == 10
    assert {float(row["positive_pairs"]) for row in made["table_1"]} == {9.0}
    same = {int(row["days apart"]): int(row["same event"]) for row in made["figure_2"]}
    assert same == {day: count for day, count in same.items() if day < 2 or not count}
    assert sum(same.values()) == 9 * 10
    beside = {name for name in ("mrpc", "stsb") if f"{name}.v1" in available_sets()}
    assert set(made["figure_3"][0]) == {"ratio from", "HLGD", *map(str.upper, beside)}
    assert {row["label"] for row in made["table_2_pairs"]} == {"0", "1"}
    people = {row["part"]: float(row["F1 of a person"]) for row in made["table_3_people"]}
    assert people == pytest.approx({"validation": 2 * 14 / (14 + 18), "test": 2 * 14 / (14 + 18)}, abs=1e-3)
    systems = {row["System"]: float(row["F1"]) for row in made["table_3"]}
    assert 0 < systems["Levenshtein ratio"] <= 1
    (ours,) = [row for row in made["table_3"] if row["System"] == "Levenshtein ratio"]
    dev = json.loads((folder / "dev.json").read_text(encoding="utf-8"))
    said = [ratio(pair["headline_a"], pair["headline_b"]) >= float(ours["Threshold"]) for pair in dev]
    assert float(ours["F1 dev"]) == pytest.approx(f1_score([pair["label"] for pair in dev], said), abs=5e-4)
    flips = next(row for row in made["section_5"] if row["test"] == "decisions that flip")
    assert float(flips["mean"]) == 0
    assert all((out / f"{name}.tex").is_file() for name in ("table_1", "table_3", "section_5"))
    again = {file.name: file.read_bytes() for file in out.glob("*.csv")}
    ok("papers", "hlgd", "--run", str(folder), "--out", str(out), *rows, *runs)
    assert {file.name: file.read_bytes() for file in out.glob("table_1.csv")}.items() <= again.items()


def test_timelines_of_fewer_people_are_refused_by_name(refused, tmp_path):
    folder = release(tmp_path / "hlgd")
    file = folder / "timelines" / "Velden.csv"
    file.write_text("headline,date,annot_1_group\nFerry sinks,2020-01-01,1\n", encoding="utf-8")
    said = refused("papers", "hlgd", "--run", str(folder), "--out", str(tmp_path / "out"))
    assert "Velden" in said
