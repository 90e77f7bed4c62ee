"""Damaged models and runs through the command: exit code 2 and one clear sentence; nothing is left behind."""

import json
import os
import pickle
import shutil
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from core.files import ROOT
from tests.hostile.sentences import INNARDS, faults_of_stderr
from tests.tiny_models import save_encoder

WORDS = ["storm", "hits", "coast", "bank", "raises", "rates"]
ARTICLE = "A storm hit the coast. Nobody was hurt."
FILES = {
    "pairs.csv": "timeline_id,headline_a,headline_b,label\n"
    + "".join(
        f"{place % 9},Storm hits {place},Storms hit {place + place % 2},{1 - place % 2}\n"
        for place in range(90)
    ),
    "articles.csv": "text,headline\n" + f"{ARTICLE},Storm hits coast\n" * 20,
    "lines.txt": "Storm hits coast\nBank raises rates\n" * 10,
}


def weights(folder):
    return next(folder.glob("*.safetensors"))


def settings(folder):
    names = ("config.json", "headline_model.json", "pair_model.json")
    return next(folder / name for name in names if (folder / name).is_file())


def rewritten(content):
    return lambda folder: settings(folder).write_bytes(content)


def other_weights(content):
    return lambda folder: weights(folder).write_bytes(content)


def linked(target):
    """A link in place of the weights; "" leads to itself."""

    def spoil(folder):
        file = weights(folder)
        file.unlink()
        file.symlink_to(target or file)

    return spoil


def truncated_weights(folder):
    weights(folder).write_bytes(weights(folder).read_bytes()[:-100])


def other_shapes(folder):
    cut = {name: array[..., :1].copy() for name, array in load_file(weights(folder)).items()}
    save_file(cut, weights(folder))


def pickles_only(folder):
    weights(folder).unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Explosive()))


def numbers(value):
    """Another value for every whole number of what describes the model."""

    def spoil(folder):
        told = json.loads(settings(folder).read_text())
        whole = {name for name, old in told.items() if isinstance(old, int) and not isinstance(old, bool)}
        settings(folder).write_text(
            json.dumps({name: value if name in whole else told[name] for name in told})
        )

    return spoil


def unknown_architecture(folder):
    told = json.loads(settings(folder).read_text())
    kinds = {"model_type": "telepathy", "architecture": "telepathy", "architectures": ["Telepathy"]}
    settings(folder).write_text(json.dumps({**told, **kinds}))


def words(change):
    def spoil(folder):
        for path in [*folder.glob("*token*"), *folder.glob("vocab*")]:
            change(path)

    return spoil


def nothing_in_it(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def a_file(folder):
    shutil.rmtree(folder)
    folder.write_text("model")


class Explosive:
    """Leaves a file where it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch exploded",)


SPOILS = {
    "truncated weights": truncated_weights,
    "weights of a header": other_weights((1 << 62).to_bytes(8, "little") + b'{"a":'),
    "no tensors": lambda folder: save_file({}, weights(folder)),
    "other shapes": other_shapes,
    "pickles only": pickles_only,
    "a link to elsewhere": linked("/etc/hostname"),
    "a link to itself": linked(""),
    "settings that are no JSON": rewritten(b"hidden_size: 16"),
    "settings that are a list": rewritten(b"[1]"),
    "nested settings": rewritten(b'{"a":' * 100_000),
    "huge numbers": numbers(10**12),
    "no numbers": numbers(float("nan")),
    "an unknown architecture": unknown_architecture,
    "no words": words(Path.unlink),
    "nothing in it": nothing_in_it,
    "a file": a_file,
}

ENTRANCES = {
    "encoder": ("bert", "group {lines} --encoder transformers_encoder|model:{model}"),
    "pair scorer": ("classifier", "score {pairs} --scorer pair_classifier|model:{model}"),
    "base of a pair model": ("bert", "train pair {pairs} --base {model} --quiet"),
    "language model": ("gpt2", "score {pairs} --scorer perplexity|language_model:(causal|model:{model})"),
    "writing language model": ("gpt2", "write {articles} --system causal|model:{model}"),
    "headline model": ("pointer", "write {articles} --system pointer|model:{model}"),
    "measure": ("bert", "compare {lines} --articles {articles} --metrics bert_score|encoder:{model}"),
}


def pair_model(folder):
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig.from_pretrained(folder)
    config.id2label = {0: "different", 1: "same"}
    BertForSequenceClassification(config).save_pretrained(folder)


@pytest.fixture(scope="module")
def sound(tmp_path_factory, tiny_gpt2):
    bert = save_encoder(tmp_path_factory.mktemp("bert"), "bert", WORDS)
    classifier = shutil.copytree(bert, tmp_path_factory.mktemp("classifier") / "model")
    pair_model(classifier)
    return {"bert": bert, "classifier": classifier, "gpt2": tiny_gpt2, "pointer": ROOT / "models/pointer"}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_damaged_model_is_one_sentence(entrance, sound, command, tmp_path, monkeypatch):
    """Every damage comes in by two of the entrances, and pickles by each."""
    kind, line = ENTRANCES[entrance]
    given = {}
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
        given[name.partition(".")[0]] = tmp_path / name
    monkeypatch.chdir(tmp_path)
    wrong = {}
    number = [*ENTRANCES].index(entrance)
    for place, (name, spoil) in enumerate(SPOILS.items()):
        if (place + number) % 4 and name != "pickles only":
            continue
        model, out = tmp_path / name, tmp_path / f"out {name}.csv"
        shutil.copytree(sound[kind], model)
        spoil(model)
        call = [word.format(model=model, **given) for word in line.split()]
        code, said, err = command(*call, "--out", out)
        found = faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]
        if entrance == "measure":  # the table is written, and beneath it stands why a value is missing
            found += [said] if INNARDS.search(said) or str(model) not in said else []
        elif out.exists():
            found.append("it left its file")
        if found:
            wrong[name] = found
    assert wrong == {}
    assert not (tmp_path / "exploded").exists()
