"""Every result that weights took part in names them: other weights in the same folder, another signature."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import open_headlines
from core.consistency.studies.suite import put_suite, synthetic_suite
from core.data.articles.articles import articles_of
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.events.suggestions import suggestions
from core.headlines.generator import GenerationOptions
from core.headlines.metrics.numeral_support import NumeralSupport
from core.headlines.writing import write_headlines
from core.models.cards import SHIPPED
from core.numerals.checking import load_checker
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs
from core.runtime import Runtime

TEXTS = ("A storm killed 3 people in Ohio on Monday.", "The bank raised its rates to 4 percent.")


def scored(folder):
    scorer = pair_scorers.parse(f"siamese|model:{folder}")
    return score_pairs(load_pair_set("sample:iss"), scorer, Runtime()).signature


def consistent(folder):
    how = Scoring(scorer=f"siamese|model:{folder}")
    return score_both_orders(open_headlines("sample:iss", most=12), how, Runtime()).signature


def put_to_a_suite(folder):
    how = Scoring(scorer=f"siamese|model:{folder}")
    matrix = score_both_orders(
        open_headlines("sample:iss", most=12), Scoring(scorer="levenshtein"), Runtime()
    )
    cases = synthetic_suite(matrix, names=["case.v1"], most=3)
    return put_suite(cases, how, Runtime()).signature


def grouped(folder):
    settings = Settings(scorer=f"siamese|model:{folder}")
    return regroup(prepare(load_sample("iss"), settings, Runtime()), 0.5).signature


def suggested(folder):
    prepared = prepare(load_sample("iss"), Settings(), Runtime())
    (found,) = suggestions(prepared, [[0, 1, 2]], selector=f"catboost|model:{folder}")
    return found.chosen_by


def written(folder):
    found = write_headlines(
        articles_of("two", TEXTS), f"s2s|model:{folder}|beam_size:1", GenerationOptions(), Runtime()
    )
    assert found.outputs().source in found.signature
    return found.signature


def checked(folder):
    found = load_checker(f"lexical|model:{folder}", Runtime()).check(
        ["Storm kills 3 in Ohio"], TEXTS[:1], Runtime()
    )
    return found[0].system


def compared(folder):
    return NumeralSupport(aligner=f"lexical|model:{folder}").signature_text()


RESULTS: list[tuple[Callable[[Path], str], str]] = [
    (scored, "siamese"), (consistent, "siamese"), (put_to_a_suite, "siamese"), (grouped, "siamese"),
    (suggested, "headline_selector"), (written, "s2s"), (checked, "numeral_lexical"),
    (compared, "numeral_lexical"),
]  # fmt: skip


@pytest.mark.parametrize(("result", "model"), RESULTS, ids=lambda one: getattr(one, "__name__", ""))
def test_other_weights_in_the_same_folder_are_another_signature(result, model, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED / model, folder)
    before = result(folder)
    file = next(folder.glob("*.safetensors"))
    tensors = load_file(file)
    smaller = {name: one * one.dtype.type(0.5) for name, one in tensors.items() if one.dtype.kind == "f"}
    save_file(tensors | smaller, file)
    after = result(folder)
    told = [re.findall(r"weights:[0-9a-f]{16}\b", one) for one in (before, after)]
    assert [len(one) for one in told] == [1, 1]
    assert told[0] != told[1]
    assert before.replace(told[0][0], told[1][0]) == after


def test_a_base_that_is_asked_for_is_that_of_a_checkpoint_file_alone(tmp_path):
    told = pair_scorers.parse("finetuned|base:google/electra-base-discriminator")
    assert pair_scorers.signature(told) == "finetuned.v1|model:minilm_headlines|base:minilm"
    (tmp_path / "checkpoint.bin").write_bytes(b"")
    file = pair_scorers.parse(f"finetuned|model:{tmp_path / 'checkpoint.bin'}|base:bert-base-uncased")
    assert pair_scorers.signature(file).endswith("|base:bert-base-uncased")
    own = tmp_path / "own"
    shutil.copytree(SHIPPED / "minilm_headlines", own)
    about = json.loads((own / "pair_model.json").read_text())
    (own / "pair_model.json").write_text(json.dumps(about | {"base": "smollm2"}))
    assert pair_scorers.signature(pair_scorers.parse(f"finetuned|model:{own}")).endswith("|base:smollm2")


def test_another_base_than_that_of_the_model_is_refused():
    for wanted in ("finetuned|base:smollm2", "symmetric|base:(finetuned_time|base:smollm2)"):
        with pytest.raises(InputError, match="was trained on minilm, not on smollm2"):
            pair_scorers.parse(wanted)
    for same in ("finetuned|base:minilm", "finetuned|base:", "finetuned"):
        assert "|base:minilm" in pair_scorers.signature(pair_scorers.parse(same))
