"""What every method that reads weights keeps to: its signature changes with each file that it reads."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from core.errors import ModelUnavailableError
from core.files import ROOT
from core.models import weights
from core.models.endpoints.recipe import EndpointModel
from core.models.language_models.recipe import language_models
from core.models.weights import weights_of, weights_signature
from tests.contract.reading_weights import REGISTRIES as READING
from tests.contract.reading_weights import files_of
from tests.programs import finished

REGISTRIES = READING | {"language model": language_models}
MORE = {"selector": ["catboost.v1|model:headline_selector_e5"]}
EVERYTHING = [
    (kind, name) for kind, registry in REGISTRIES.items() for name in (*registry.names(), *MORE.get(kind, ()))
]
LARGE = (
    "flan_t5_headlines.v1", "smollm2.v1", "smollm2_headlines.v1", "consensus.v3", "headline_swap.v1",
    "perplexity.v1", "outlet_style.v1",
)  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), EVERYTHING)
def test_another_byte_in_any_file_is_another_signature(kind, name, monkeypatch):
    """Of each file in turn the hash is taken for another, as it is of a file with another byte."""
    recipe = REGISTRIES[kind].parse(name)
    try:
        named = [file for path in weights_of(recipe) for file in files_of(path)]
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    really = weights.hashes_of
    changed: list[Path] = []

    def hashes_of(paths):
        found = zip(paths, really(paths), strict=True)
        return ["other" if path in changed else known for path, known in found]

    monkeypatch.setattr(weights, "hashes_of", hashes_of)
    seen = {weights_signature(recipe)}
    for file in named:
        changed[:] = [file]
        seen.add(weights_signature(recipe))
    assert len(seen) == 1 + len(named)


def link_or_copy(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def used(folder, methods):
    """Which files of models methods open when they are used in a copy of the program, and which they name."""
    copy = folder / "copy"
    for package in ("core", "research"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    # Links, where the folders are on one disk: what is told of is the name that a file is opened by.
    for folder_of in ("models", "samples"):
        shutil.copytree(ROOT / folder_of, copy / folder_of, copy_function=link_or_copy)
    script = ROOT / "tests/contract/reading_weights.py"
    done = finished(sys.executable, script, folder / "packages", *methods, cwd=copy, PYTHONPATH=str(copy))
    assert not done.returncode, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    return {method: {key: set(paths) for key, paths in one.items()} for method, one in told.items()}


def methods_here(kinds, *, language_model):
    found = []
    for kind, name in EVERYTHING:
        if kind not in kinds or (name in LARGE and kind != "aligner") != language_model:
            continue
        recipe = REGISTRIES[kind].parse(name)
        if isinstance(recipe, EndpointModel):  # its weights are on another computer
            continue
        try:
            weights_of(recipe)
        except ModelUnavailableError:
            continue
        found.append(f"{kind}={name}")
    return found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which files are opened")
def test_no_file_is_read_that_the_signature_does_not_name(tmp_path):
    told = used(tmp_path, methods_here(READING, language_model=False))
    assert len(told) > 40
    for method, one in told.items():
        assert one["opened"] <= one["named"], method
        # The package of the Universal Sentence Encoder opens its own files, not our copies of them.
        assert one["opened"] or not one["named"] or method == "encoder=use_multilingual.v1", method


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which files are opened")
def test_the_same_of_the_language_model(tmp_path):
    told = used(tmp_path, [*methods_here(READING, language_model=True), "filler=blend.v1"])
    assert set(told) >= {"generator=smollm2_headlines.v1", "filler=blend.v1"}
    for method, one in told.items():
        assert {path for path in one["opened"] if not path.endswith((".py", ".pyc"))} <= one["named"], method
    assert any(path.endswith(".gguf") for path in told["filler=blend.v1"]["named"])
