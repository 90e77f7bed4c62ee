import json
import shutil
from pathlib import Path

import pytest

from research.runs.run_folder import RunFolder
from tests.tiny_models import save_encoder
from tests.training_data import archive_file, articles_file, numhg_file, selection_files

VERB = ("train", "pair")
PLACES = ["coast", "bank", "island", "city", "farm", "port", "school", "river"]
WORDS = ["storm", "hits", "reaches", "the", "fire", "at", *PLACES, *map(str, range(10))]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("tiny_bert"), "bert", WORDS, num_hidden_layers=1)


def rows(count=96):
    made: list[dict[str, object]] = []
    for number in range(count):
        place, other = PLACES[number % 8], PLACES[(number // 8 + number) % 8]
        made.append(
            {
                "timeline_id": number % 10,
                "headline_a": f"storm hits {place} {number % 10}",
                "headline_b": f"fire reaches the {other} {number // 10}",
                "date_a": "2021-03-01",
                "date_b": f"2021-03-0{1 + number % 3}",
                "label": int(place == other),
            }
        )
    return made


def write(path, pairs):
    path.write_text(json.dumps(pairs), encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "pairs.json", rows())


def small(tiny, *more):
    return ["--base", tiny, "--adapter", "full", "--batch-size", "8", "--no-half", *more]


def test_a_run_from_pairs_to_a_model_that_scores(call, tmp_path, tiny, data):
    out = tmp_path / "run"
    code, told, err = call(data, "--out", out, *small(tiny, "--epochs", "2", "--seed", "5"))
    assert code == 0, err
    about = json.loads((out / "run.json").read_text())
    assert about["state"] == "finished"
    assert about["order"]["seed"] == 5
    assert about["data"][0]["train"] + about["data"][0]["validation"] == 96
    assert about["data"][0]["validation"] > 0
    assert about["threshold"]["chosen_on"] == "train"
    assert f"Use: finetuned.v1|model:{out}/model" in told
    assert "Validation F1" in told
    lines = RunFolder(out).progress()
    assert [line["epoch"] for line in lines if "validation" in line] == [1, 2]
    assert all(line["learning_rate"] > 0 for line in lines if "loss" in line)
    settings = json.loads((out / "model" / "pair_model.json").read_text())
    assert settings["threshold"] == about["threshold"]["value"]
    assert not (out / "checkpoint").exists(), "a finished run needs none"
    assert "Epoch 2" in err
    card = (out / "model" / "README.md").read_text(encoding="utf-8")
    for wanted in ("pairs.json", about["data"][0]["fingerprint"], "--seed 5", "95 % interval", str(tiny)):
        assert wanted in card
    assert f"{about['validation']['f1'][0]:.3f}" in card
    assert str(data) not in card, "a card goes to other people"
    assert card.startswith("---\nlibrary_name: transformers\n")


def test_the_model_scores_as_it_was_measured(ok, tmp_path, tiny, data):
    from core.pairs.metrics import pair_quality
    from core.pairs.scorer import pair_scorers
    from core.pairs.scoring import score_pairs
    from core.parts import Part
    from core.runtime import Runtime
    from research.catalogue.training import order_of, ready_for

    out = tmp_path / "run"
    ok(data, "--out", out, *small(tiny, "--time", "concat", "--epochs", "3"))
    run = RunFolder(out)
    validation = ready_for(order_of(run))[0].part(Part.VALIDATION)
    scorer = pair_scorers.parse(f"finetuned_time.v1|model:{out}/model")
    scored = score_pairs(validation, scorer, Runtime(half=False))
    quality = pair_quality(validation.labels, scored.scores, scorer.threshold)
    assert run.about()["validation"]["f1"][0] == pytest.approx(quality["f1"].value)
    assert run.about()["validation"]["pairs"] == len(validation)


def changed(**values):
    return [{**row, **values} for row in rows(16)]


@pytest.mark.parametrize(
    "case",
    [
        (changed(label=1), [], "labelled pairs of pairs are the same event"),
        (changed(date_a=""), ["--time", "concat"], "16 of 16 pairs of pairs lack a date"),
        (rows(16), ["--input", "content"], "16 of 16 pairs of pairs lack the text of an article"),
        (rows(16), ["--seed", "-1"], "seed cannot be -1"),
        (rows(16), ["--seeds", "1,01"], "names a seed twice"),
        (rows(16), ["--base", "nowhere/at-all"], "neither a folder nor a model on this machine"),
    ],
)
def test_one_sentence_for_each_thing_that_cannot_be_trained(call, tmp_path, tiny, case):
    pairs, options, sentence = case
    data = write(tmp_path / "pairs.json", pairs)
    code, out, err = call(data, "--out", tmp_path / "run", "--base", tiny, *options)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err
    assert out == ""
    assert len(err.strip().splitlines()) == 2, "what is wrong, and what to do"
    assert not (tmp_path / "run").exists()


def test_a_start_that_fails_before_its_first_step_leaves_nothing(call, tmp_path, tiny, data, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_RUNS", str(tmp_path / "runs"))
    broken, out = tmp_path / "broken", tmp_path / "run"
    shutil.copytree(tiny, broken)
    (broken / "config.json").write_text("{}")
    code, _, _ = call(data, "--out", out, *small(broken))
    assert code == 2
    assert not out.exists()
    assert not any((tmp_path / "runs").iterdir()), "nor is it listed"
    code, _, err = call(data, "--out", out, *small(tiny, "--epochs", "1", "--quiet"))
    assert code == 0, err


def test_an_existing_run_is_refused_and_other_settings_do_not_go_on_from_it(ok, call, tmp_path, tiny, data):
    out = tmp_path / "run"
    settings = small(tiny, "--epochs", "1", "--quiet")
    ok(data, "--out", out, *settings)
    before = (out / "run.json").read_bytes()
    for more, sentence in (
        ([data], "already holds a training run"),
        ([data, "--resume", "--seed", "1"], "was started with seed 0, not 1"),
        (["hlgd_sample", "--resume"], "was started with data"),
        (["--resume", "--time", "prefix"], "takes --time from the run"),
        ([], "no pairs to train on"),
    ):
        wanted = settings if more and more != ["--resume", "--time", "prefix"] else []
        code, _, err = call(*more, "--out", out, *wanted)
        assert code == 2
        assert sentence in err
    assert (out / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    "case",
    [
        ("headlines ARTICLES --trainer pointer --epochs 2", "pointer.v1|epochs:2|", "articles.jsonl"),
        ("selector --directions 3 --trees 9 --depth 2", "directions:3|trees:9|depth:2|", "dialogue2021"),
        ("selector --documents ARCHIVE", "headline_selector.v1|", "archive.jsonl"),
        ("numerals --aligner lexical --epochs 3", "aligner:lexical|epochs:3|", "numhg"),
    ],
)
def test_every_kind_takes_its_options(case, command, monkeypatch, tmp_path):
    words, trainer, learned = case
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path / "data"))
    selection_files(tmp_path / "data")
    numhg_file(tmp_path / "data")
    paths = {"ARTICLES": articles_file(tmp_path), "ARCHIVE": archive_file(tmp_path)}
    monkeypatch.setattr("research.catalogue.training.carry_out", lambda run, runtime: run.record(notes=[]))
    given = [paths.get(word, word) for word in words.split()]
    code, _, err = command("train", *given, "--out", tmp_path / "run", "--seed", 4, "--quiet")
    assert (code, err) == (0, "")
    order = RunFolder(tmp_path / "run").about()["order"]
    assert trainer in order["trainer"]
    assert [Path(name).name for name in order["data"]] == [learned]
    assert order["seed"] == 4


def test_each_seed_gives_a_model_and_data_that_changed_is_not_trained_on_further(
    ok, call, tmp_path, tiny, data
):
    out = tmp_path / "runs"
    few = small(tiny, "--epochs", "1", "--max-pairs", "40", "--quiet")
    told = [
        json.loads(line) for line in ok(data, "--out", out, "--seeds", "0,3", *few, "--json").splitlines()
    ]
    assert [one["model"] for one in told] == [str(out / name / "model") for name in ("seed-0", "seed-3")]
    assert all(one["model"] in one["signature"] and one["measured"] for one in told)
    abouts = [RunFolder(out / f"seed-{seed}").about() for seed in (0, 3)]
    assert [about["order"]["seed"] for about in abouts] == [0, 3]
    assert abouts[0]["fingerprint"] == abouts[1]["fingerprint"]
    RunFolder(out / "seed-0").record(state="stopped")
    write(data, rows(80))
    code, _, err = call("--resume", "--out", out / "seed-0")
    assert code == 2
    assert "has changed since it was started" in err


def test_kind_and_signature_of_a_method_stand_apart(command):
    listed = json.loads(command("methods", "--json")[1])
    lines = command("methods")[1].splitlines()[::2]
    assert [line.split("  ", 1)[0] for line in lines] == [method["kind"] for method in listed]
    assert all(line.endswith(f" {method['signature']}") for line, method in zip(lines, listed, strict=True))
