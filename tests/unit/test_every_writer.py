import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import files
from core.data.pair_sets.kept import keep_pairs
from core.headlines import selection as selector_model
from core.headlines.hub import FlanT5Adapter
from core.models import file_hashes
from core.models.cards import SHIPPED
from core.models.language_models.causal import AdapterConfig
from core.numerals import lexical, weighing
from core.pairs import trained
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.scorers.event_blend import read_model
from core.pairs.scorers.pair_models import Head
from core.pairs.trained import HeadConfig
from core.runtime import Runtime
from core.tensor_files import write_arrays
from research.benchmark import results as saved
from research.benchmark.headlines.generated import headlines_of
from research.benchmark.pairs.tables import FILE as PAIR_FILE
from research.catalogue.training_runs import remember
from research.hub import write_note
from research.judging.leaderboard import Score, Submission, keep
from research.judging.sandbox import Isolation
from research.neural.model_config import HeadlineModelConfig
from research.neural.morphology import Morphology
from research.neural.vocabulary import SPECIALS, Vocabulary
from research.neural.words import LearnedStyle
from research.runs import checkpoint
from research.runs.run_folder import RunFolder
from tests.faults import attempts

Act = Callable[[Path], Any]


@dataclass(frozen=True, kw_only=True)
class Writer:
    act: Act
    before: Act | None = None
    quiet: bool = False
    good: Act = lambda folder: None
    home: bool = False


def run_in(folder):
    return RunFolder(folder / "run")


def created(folder):
    run_in(folder).create({"kind": "pair"})


def going_on(folder):
    created(folder)
    run_in(folder).report({"step": 1, "loss": 0.5})
    run_in(folder).report({"step": 2, "loss": 0.25})


def saved_at(step):
    import torch

    def act(folder):
        torch.manual_seed(step)
        module = torch.nn.Linear(4, 3)
        optimizer = torch.optim.AdamW(module.parameters())
        module(torch.ones(4)).sum().backward()
        optimizer.step()
        checkpoint.save_checkpoint(folder / "checkpoint", checkpoint.Position(step=step), module, optimizer)

    return act


def loads(folder):
    import torch

    module = torch.nn.Linear(4, 3)
    position = checkpoint.load_checkpoint(
        folder / "checkpoint", module, torch.optim.AdamW(module.parameters())
    )
    assert position.step in (1, 2)


def submit(name):
    score = Score(
        name="rouge_mean", label="ROUGE", value=0.5, low=None, high=None, higher_is_better=True, highest=1.0,
        help="",
    )  # fmt: skip
    one = Submission(
        name=name, time="2026-01-02T03:04:05+00:00", command=("x",), articles="a", articles_fingerprint="f",
        count=1, isolation=Isolation(kind="process"), limits={"seconds": 1.0}, seconds=1.0,
        peak_megabytes=None, scores=(score,), metrics=("rouge.v1",), headlines_fingerprint="0123456789",
        empty=0, stderr="", program="0",
    )  # fmt: skip
    return lambda folder: keep(one, folder / "board")


def pairs_file(name):
    data = b"headline_a,headline_b,label\nOne died,1 died,1\nTwo died,Rain falls,0\n"
    return lambda folder: keep_pairs(data, "mine.csv", name=name)


def table_of(date):
    found = PAIR_FILE.load(max(saved.SHIPPED.glob(f"{PAIR_FILE.name}_benchmark-*.json")))
    small = replace(found, date=date, sets=found.sets[:1], cells=found.cells[:3], comparisons=())
    return lambda folder: PAIR_FILE.keep(small)


def hashed(folder):
    file_hashes._MEMORIES.clear()
    (folder / "weights").mkdir(exist_ok=True)
    file_hashes.hash_of(Path(__file__))


def neural(folder):
    HeadlineModelConfig(
        architecture="s2s",
        settings={},
        language="en",
        words_read=9,
        style=LearnedStyle(small=frozenset({"of"})),
    ).write(folder)


ADAPTER = AdapterConfig(
    base="smollm2.v1",
    rank=1,
    alpha=1.0,
    first_block=0,
    article_tokens=9,
    headline_tokens=9,
    before="",
    end="",
)
FLAN_T5 = FlanT5Adapter(base="flan_t5_small", rank=1, alpha=1.0, article_tokens=9, headline_tokens=9)
CLASSIFIER = HeadConfig(kind="siamese", encoder="minilm.v1", dimensions=3, threshold=0.5)
WRITERS = {
    "a file": Writer(act=lambda folder: files.write(folder / "out.csv", b"new" * 99)),
    "arrays": Writer(act=lambda folder: write_arrays(folder / "a", {"one": np.arange(9)})),
    "a new run": Writer(act=created, before=lambda folder: None),
    "a run's record": Writer(act=lambda folder: run_in(folder).record(steps=9), before=created),
    "a run's lines": Writer(act=lambda folder: run_in(folder).report({"step": 3}), before=going_on),
    "a run's lines taken back": Writer(
        act=lambda folder: run_in(folder).forget_progress_after(1), before=going_on
    ),
    "a request to stop": Writer(act=lambda folder: run_in(folder).ask_to_stop(), before=created),
    "a checkpoint": Writer(act=saved_at(2), before=saved_at(1), good=loads),
    "a submission": Writer(act=submit("Mine"), before=submit("Other")),
    "a second submission": Writer(act=submit("Mine"), before=submit("Mine")),
    "pairs": Writer(act=pairs_file("second"), before=pairs_file("first"), home=True),
    "a table of the benchmark": Writer(act=table_of("2026-01-02"), before=table_of("2026-01-01"), home=True),
    "where a run lies": Writer(
        act=lambda folder: remember(RunFolder(folder / "deep" / "else")),
        before=lambda folder: None,
        quiet=True,
        home=True,
    ),
    "hashes of weights": Writer(act=hashed, quiet=True, before=lambda folder: None, home=True),
    "headlines that were written": Writer(
        act=lambda folder: headlines_of(["One died. Two left."], "first_sentence", Runtime(cache=folder)),
        before=lambda folder: headlines_of(["Rain fell. It went."], "first_sentence", Runtime(cache=folder)),
        quiet=True,
    ),
    "a blend of pair scores": Writer(act=lambda folder: trained.write(folder, read_model("event_blend"))),
    "settings of a classifier": Writer(act=lambda folder: trained.write(folder, CLASSIFIER)),
    "weights of a classifier": Writer(act=Head(np.ones(3, "f4"), np.ones(3, "f4"), 0.5).save),
    "settings of a pair model": Writer(act=PairModelConfig().write),
    "settings of an adapter": Writer(act=ADAPTER.write),
    "settings of an adapter of FLAN-T5": Writer(act=FLAN_T5.write),
    "a note of a hub model": Writer(act=lambda folder: write_note(folder, system="x")),
    "settings of a headline model": Writer(act=neural),
    "a vocabulary": Writer(act=Vocabulary((*SPECIALS, "one", "two")).save),
    "word forms": Writer(act=Morphology("ru", ("a",), ("b",), ("c",)).save),
    "a headline selector": Writer(
        act=lambda folder: selector_model.write_model(
            folder, selector_model.read_model(SHIPPED / "headline_selector")
        )
    ),
    "a judge of numerals by words": Writer(
        act=lambda folder: lexical.write_model(folder, lexical.read_model(SHIPPED / "numeral_lexical"))
    ),
    "weights of numerals": Writer(
        act=lambda folder: weighing.write_weights(folder, weighing.read_weights(SHIPPED / "numeral_blend"))
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_it_writes_the_whole_or_nothing(name, tmp_path, monkeypatch):
    writer, folder = WRITERS[name], tmp_path / "folder"
    monkeypatch.setattr("time.time", lambda: 1e9)
    monkeypatch.setattr(saved, "SHIPPED", tmp_path)
    monkeypatch.setattr("time.perf_counter", lambda: 1.0)
    for variable in ("CACHE", "USER", "RUNS"):
        monkeypatch.setenv(f"HEADLINE_LAB_{variable}", str(folder if writer.home else tmp_path))

    def emptied():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()

    def prepared():
        emptied()
        if writer.before is not None:
            writer.before(folder)
        for path, content in ({} if writer.before is not None else other).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)

    emptied()
    if writer.before is not None:
        writer.before(folder)
    writer.act(folder)
    new = state(folder)
    other = {path: b"was there before " + content if content else b"" for path, content in new.items()}
    prepared()
    old = state(folder)
    assert old != new

    seen = set()
    for one in attempts(lambda: writer.act(folder), before=prepared):
        check(one, state(folder), old, new, quiet=writer.quiet)
        writer.good(folder)
        seen.add(one.outcome)
    assert seen == {"done", "killed"} | ({"told"} if not writer.quiet else set())


def state(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def check(one, now, old, new, *, quiet):
    """Each file is as it was or as it should be; after a kill unfinished files may lie beside."""
    left = {path for path in now if path.endswith(files.PARTIAL)}
    assert not left or one.outcome == "killed", one
    for path in (old.keys() | new.keys() | now.keys()) - left:
        found = now.get(path)
        whole = found in (old.get(path), new.get(path)) or (
            found == b"" and path.endswith((".lock", ".jsonl"))
        )
        cut_off = path.endswith(".jsonl") and one.outcome == "killed" and found is not None
        begun = cut_off and new[path].startswith(found) and found.startswith(old.get(path, b""))
        assert whole or begun, (path, one)
    if one.outcome == "done" and not quiet:
        assert now == new, one
