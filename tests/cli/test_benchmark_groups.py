"""`benchmark groups FILE`: every figure is computed here once more, by other means."""

import csv
import json
import sys
from itertools import combinations
from types import ModuleType

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from core.events.baselines import TREES
from core.files import ROOT

VERB = ("benchmark", "groups")
MEASURES = ("pair_precision", "pair_recall", "pair_f1", "ami", "ari", "bcubed_f1")
BEST = ", best cut"
EVENTS = """headline,date,event,pair
Storm hits the coast,2024-05-01T08:00,storm,1
Coast battered by storm,2024-05-01T09:00,storm,1
Storm: two ferries cancelled on the coast,2024-05-02T07:00,storm,2
Bank raises its rates,2024-05-01T10:00,bank,3
Rates raised by the bank,2024-05-01T11:00,bank,4
Team wins the cup,2024-05-03T20:00,cup,5
Cup for the team after a late goal,2024-05-03T22:00,,6
A column on gardens,2024-05-02T12:00,garden,7
"""


@pytest.fixture
def events(tmp_path):
    file = tmp_path / "events.csv"
    file.write_text(EVENTS)
    return file


@pytest.fixture
def rows_of(ok):
    def measure(*words):
        rows = json.loads(ok(*words, "--json", "--quiet"), parse_constant=pytest.fail)
        return {(row["file"], row["method"]): row for row in rows}

    return measure


def by_hand(labels, gold):
    """Precision, recall and F1 of pairs, one pair after another, AMI and ARI of scikit-learn."""
    judged = [(label, event) for label, event in zip(labels, gold, strict=True) if event]
    pairs = [(a[0] == b[0], a[1] == b[1]) for a, b in combinations(judged, 2)]
    both, joined, same = (sum(map(test, pairs)) for test in (all, lambda pair: pair[0], lambda pair: pair[1]))
    labels, gold = zip(*judged, strict=True)
    chance = adjusted_mutual_info_score(gold, labels), adjusted_rand_score(gold, labels)
    ratios = both / joined if joined else None, both / same, 2 * both / (joined + same)
    return dict(zip(MEASURES, (*ratios, *chance), strict=False))


def check(row, labels, gold):
    for name, value in by_hand(labels, gold).items():
        assert row[name] == (None if value is None else pytest.approx(value)), name
    assert row["groups"] == len(set(labels))


def read(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_figures_are_those_of_the_groups_of_the_command_and_of_a_calendar(rows_of, events, command, tmp_path):
    rows = rows_of(events, "--gold", "event")
    out = tmp_path / "groups.csv"
    assert command("group", events, "--out", out, "--quiet")[0] == 0
    grouped = read(out)
    gold = [row["event"] for row in grouped]
    check(rows[str(events), "Headline Lab"], [row["group"] for row in grouped], gold)
    check(rows[str(events), "Same day"], [row["date"][:10] for row in grouped], gold)
    assert {(row["headlines"], row["events"]) for row in rows.values() if row["groups"]} == {(7, 4)}
    assert all(row["seconds"] > 0 and row["signature"] for row in rows.values() if row["groups"])


def test_cosine_and_time_is_average_linkage_at_the_level_that_the_row_names(rows_of):
    from core.data.timelines.load import load_path
    from core.models.encoders.cached import encode_cached
    from core.models.encoders.minilm import MiniLM
    from core.runtime import Runtime

    file = ROOT / "samples" / "desks" / "cedar" / "google_news_front.csv"
    rows, whole = rows_of(file, "--gold", "event"), load_path(file)
    reports = [row for row, name in enumerate(whole.formats) if not name]
    assert 0 < len(reports) < len(whole)  # what repeats is neither grouped nor measured, as `group` has it
    timeline, gold = whole.select(reports), [read(file)[row]["event"] for row in reports]
    vectors = encode_cached(timeline.texts, MiniLM(), Runtime())
    apart = np.abs(timeline.days[:, None] - timeline.days)
    alike = np.clip(vectors @ vectors.T, 0, 1) * np.exp(-apart / 8)
    np.fill_diagonal(alike, 1)
    tree = linkage(squareform(1 - alike.astype(np.float64), checks=False), "average")
    fixed = rows[str(file), "Cosine × time"]
    assert fixed["level"] == TREES["Cosine × time"][2]
    assert "UCI" in fixed["cut"]
    check(fixed, fcluster(tree, fixed["level"], "distance").tolist(), gold)
    best = rows[str(file), f"Cosine × time{BEST}"]
    check(best, fcluster(tree, best["level"], "distance").tolist(), gold)
    cuts = (fcluster(tree, level / 100, "distance").tolist() for level in range(1, 100))
    assert best["pair_f1"] == pytest.approx(max(by_hand(cut, gold)["pair_f1"] for cut in cuts))
    assert "gold column" in best["cut"]
    for row in rows.values():
        if row["groups"]:
            assert all(row[f"{name}_low"] <= row[name] <= row[f"{name}_high"] for name in MEASURES)


def test_no_level_that_needs_gold_moves_with_it(rows_of, events):
    first, second = (rows_of(events, "--gold", column) for column in ("event", "pair"))
    assert first.keys() == second.keys()
    for key, row in first.items():
        if BEST not in key[1]:
            assert (row["level"], row["groups"]) == (second[key]["level"], second[key]["groups"])
        else:
            assert row["pair_f1"] >= (first[key[0], key[1].removesuffix(BEST)]["pair_f1"] or 0)


def test_a_folder_has_means_over_the_files_that_could_be_measured(call, events, tmp_path):
    folder, out = tmp_path / "desk", tmp_path / "out.csv"
    folder.mkdir()
    lines = EVENTS.splitlines()
    (folder / "a.csv").write_text(EVENTS)
    (folder / "b.csv").write_text("\n".join(lines[:6]))
    (folder / "c.csv").write_text(EVENTS.replace(",event,", ",matter,"))
    (folder / "picture.png").write_bytes(b"\x89PNG")
    code, printed, err = call(folder, "--gold", "event", "--csv", out)
    assert code == 3
    assert len([line for line in err.splitlines() if "c.csv" in line]) == 1
    assert "png" not in err
    rows = read(out)
    for mean in (row for row in rows if row["file"] == "mean of 2 files" and row["groups"]):
        own = [row for row in rows if row["method"] == mean["method"] and row is not mean]
        assert [row["file"] for row in own] == [str(folder / "a.csv"), str(folder / "b.csv")]
        for name in (*MEASURES, "groups", "seconds"):
            values = [float(row[name]) for row in own if row[name]]
            assert float(mean[name]) == pytest.approx(sum(values) / len(values), rel=1e-4)
        assert mean["pair_f1_warning"]
    assert "mean of 2 files" in printed


def test_bertopic_is_a_row_that_says_what_it_needs_or_is_measured(rows_of, events, monkeypatch):
    monkeypatch.setitem(sys.modules, "bertopic", None)
    missing = rows_of(events, "--gold", "event")[str(events), "BERTopic"]
    assert missing["pair_f1"] is None
    assert "pip install bertopic" in missing["cut"]
    topics = [0, 0, -1, 1, 1, 1, -1, -1]

    class Topics:
        def __init__(self, **_):
            pass

        def fit_transform(self, texts, vectors):
            assert len(texts) == len(vectors) == len(topics)
            return topics, None

    for name, kind in (("bertopic", "BERTopic"), ("umap", "UMAP")):
        module = ModuleType(name)
        setattr(module, kind, Topics)
        monkeypatch.setitem(sys.modules, name, module)
    row = rows_of(events, "--gold", "event")[str(events), "BERTopic"]
    gold = [line["event"] for line in csv.DictReader(EVENTS.splitlines())]
    check(row, [0, 0, 2, 1, 1, 1, 3, 4], gold)


def test_a_way_that_breaks_costs_the_others_nothing(rows_of, tmp_path):
    file = tmp_path / "undated.csv"
    file.write_text("\n".join(",".join(line.split(",")[::2]) for line in EVENTS.splitlines()))
    rows = rows_of(file, "--gold", "event")
    assert rows[str(file), "Same day"]["pair_f1"] is None
    assert "date" in rows[str(file), "Same day"]["cut"]
    assert rows[str(file), "Headline Lab"]["pair_f1"] is not None
    assert rows[str(file), "Louvain"]["pair_f1"] is not None


@pytest.mark.parametrize(
    ("column", "says"),
    [("matter", "'matter'"), ("same", "1 different"), ("number", "8 different"), ("blank", "0 headlines")],
)
def test_a_column_that_measures_nothing_is_one_sentence(refused, tmp_path, column, says):
    file = tmp_path / "events.csv"
    head, *lines = EVENTS.splitlines()
    rows = [f"{line},x,{number}," for number, line in enumerate(lines)]
    file.write_text("\n".join([f"{head},same,number,blank", *rows]))
    err = refused(file, "--gold", column)
    assert says in err
    assert len(err.splitlines()) == 2


def test_calls_that_cannot_be_meant_are_refused_and_leave_the_file_alone(refused, events, tmp_path):
    for words in (
        (events, "--gold", "event", "--set", "sample:iss"),
        (events, "--gold", "event", "--method", "hdbscan"),
        (events, "--gold", "event", "--csv", events),
        (events, "--gold", "event", "--latex", events),
        ("--gold", "event"),
        ("sample:iss", "--gold", "event"),
        (tmp_path / "nowhere.csv", "--gold", "event"),
    ):
        assert len(refused(*words).splitlines()) == 2
    (tmp_path / "empty").mkdir()
    assert "no file of headlines" in refused(tmp_path / "empty", "--gold", "event")
    assert events.read_text() == EVENTS


def test_blank_cells_are_said(call, events):
    code, _, err = call(events, "--gold", "event", "--quiet")
    assert code == 0
    assert "1 without a gold event" in err
