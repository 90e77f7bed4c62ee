"""No row that ran here bears the name of a model that did not run."""

import json
import re
from typing import Any

import pytest

from core.errors import CoreError
from core.files import ROOT
from core.headlines.generator import headline_generators
from core.models.weights import weights_of
from core.numerals.question import source_aligners
from core.pairs.scorer import pair_scorers
from research.benchmark.headlines.tables import ROWS as HEADLINE_ROWS
from research.benchmark.pairs.rows import HUMAN, rows

RESULTS = ROOT / "benchmarks" / "results"
MODELS = re.compile(
    r"\b(electra|(?:ro|de|ru|m|distil)?bert[ao]?|gpt-?\d*|m?bart|m?t5|pegasus|brio|season|labse|(?-i:USE)|"
    r"universal sentence encoder|fasttext|minilm|smollm2|wordllama|e5|llama)\b",
    re.IGNORECASE,
)
NAMED_OTHERWISE = {"use": "usem3", "universal sentence encoder": "usem3"}
TWIN = " twin of "


def foreign(name, recipe):
    """Models that a row's name claims and its weights do not hold; what it is a twin of is no claim."""
    claimed = {found.casefold() for found in MODELS.findall(name.partition(TWIN)[0])}
    trained = type(recipe).__name__  # a method that is trained on the spot has its name by right
    there = " ".join([trained, *(str(path) for path in weights_of(recipe))]).casefold()
    return {model for model in claimed if NAMED_OTHERWISE.get(model, model) not in there}


def pair_names():
    return [
        (row.name, pair_scorers.parse(row.signature)) for row in rows() if row.signature and row.key != HUMAN
    ]


def headline_names():
    return [(row.name, headline_generators.parse(row.signature)) for row in HEADLINE_ROWS if row.signature]


@pytest.mark.parametrize(
    ("name", "recipe"), [*pair_names(), *headline_names()], ids=lambda one: str(one)[:50]
)
def test_no_row_bears_the_name_of_a_model_that_does_not_run(name, recipe):
    try:
        weights_of(recipe)
    except CoreError as error:
        pytest.skip(error.message)
    assert not foreign(name, recipe)


def test_rows_of_the_paper_whose_weights_are_others_say_so():
    """ELECTRA and GPT-2 do not ship: every row of the paper with weights is a twin."""
    for row in rows():
        scored = row.in_paper and row.signature and row.key != HUMAN
        assert not scored or not weights_of(pair_scorers.parse(row.signature)) or TWIN in row.name, row.name


def test_the_tables_that_ship_have_the_names_of_the_rows():
    known = {row.key: row.name for row in rows()} | {row.key: row.name for row in HEADLINE_ROWS}
    for pattern in ("pair_benchmark-*.json", "headline_benchmark-*.json"):
        told = json.loads(sorted(RESULTS.glob(pattern))[-1].read_text(encoding="utf-8"))
        for row in told["systems"]:
            assert row["name"] == known[row["key"]]


def test_the_tables_that_ship_name_their_weights():
    """Every figure of a method that reads weights has them in its signature, and the base that ran."""
    for pattern, registry in (("pair", pair_scorers), ("headline", headline_generators)):
        told = json.loads(sorted(RESULTS.glob(f"{pattern}_benchmark-*.json"))[-1].read_text(encoding="utf-8"))
        seen = 0
        for cell in told["cells"]:
            parts = cell["signature"].split(" · ")
            for part in parts:
                try:
                    recipe: Any = registry.parse(part)
                except CoreError:
                    continue
                assert "base:" not in part or registry.signature(recipe) == part
                assert not weights_of(recipe) or any(one.startswith("weights:") for one in parts), part
                seen += 1
        assert seen > 20
    numerals = json.loads(sorted(RESULTS.glob("numeral_benchmark-*.json"))[-1].read_text(encoding="utf-8"))
    judged = [one["signature"] for one in numerals["systems"] if one["signature"]]
    assert judged
    assert all(re.search(r"weights:[0-9a-f]{16}$", one) for one in judged)
    assert {one.partition("|")[0] for one in judged} == set(source_aligners.names())
