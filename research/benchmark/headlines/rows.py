"""The rows of the benchmark: every system of the papers, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.errors import UnknownNameError
from core.headlines.generator import headline_generators
from core.headlines.writing.suggesting import system_name
from research.benchmark.headlines.generation import ModelFacts
from research.benchmark.results import BenchmarkSystem


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSystem(BenchmarkSystem):
    """One system; parameters that its signature leaves out take their defaults.

    Attributes:
        kind: What sort of system it is.
        predictions: Name of the system in a set's file of published headlines; "" for none.
        languages: ISO 639-1 codes it writes; empty for any, or for what the generator or its model says.
        trained: Its weights were fitted to articles.
        base_parameters: Of the model below what is trained here; 0 for none.
        hub: Its weights come from a model hub and do not ship.
        chosen_on: What chose the weights, in words; "" where it has none.
        model: Its weights; None where it has none, or they are not here.
    """

    kind: str
    predictions: str = ""
    languages: tuple[str, ...] = ()
    trained: bool = False
    base_parameters: int = 0
    hub: bool = False
    chosen_on: str = ""
    model: ModelFacts | None = None


BASELINE: Final = "first_sentence"
"""The row that every other is tested against."""

SMOLLM2_PARAMETERS: Final = 134_515_008
FLAN_T5_PARAMETERS: Final = 76_961_152

_NAMES: Final = {
    "extractive": {
        "first_sentence": "First sentence",
        "lead_one": "Random Lead-1",
        "textrank": "TextRank",
        "lexrank": "LexRank",
        "lsa": "LSA",
        "luhn": "Luhn",
        "sumbasic": "SumBasic",
    },
    "recurrent": {
        "s2s": "S2S",
        "pointer": "Pointer network (PN)",
        "pointer_coverage": "Pointer network with coverage (PNC)",
        "copynet": "CopyNet",
        "pointer_grammemes": "Pointer-generator with grammemes",
    },
    "Transformer": {
        "transformer": "Transformer (NMT baseline)",
        "phrase_transformer": "Phrase-based Transformer",
    },
    "from the hub": {
        "bart": "BART",
        "t5": "T5",
        "pegasus": "Pegasus",
        "season": "SEASON",
        "brio": "BRIO",
        "mbart": "mBART",
        "rubert_seq2seq": "Seq2seq RuBERT",
        "ttgen_bottleneck": "TTGenBottleneck",
    },
}
"""By kind, for each generator its name in the papers."""


def _of(kind: str) -> list[HeadlineSystem]:
    trained, hub = kind != "extractive", kind == "from the hub"
    return [
        HeadlineSystem(key=key, name=name, kind=kind, signature=key, trained=trained, hub=hub)
        for key, name in _NAMES[kind].items()
    ]


ROWS: Final[tuple[HeadlineSystem, ...]] = (
    *(one for kind in ("extractive", "recurrent", "Transformer") for one in _of(kind)),
    HeadlineSystem(
        key="smollm2",
        name="SmolLM2 135M, prompted",
        kind="language model",
        signature="smollm2",
        trained=True,
        base_parameters=SMOLLM2_PARAMETERS,
        chosen_on="nothing here; it was not trained on these articles by us",
    ),
    HeadlineSystem(
        key="smollm2_headlines",
        name="SmolLM2 135M with our adapter (default)",
        kind="language model",
        signature="smollm2_headlines",
        trained=True,
        base_parameters=SMOLLM2_PARAMETERS,
    ),
    HeadlineSystem(
        key="flan_t5_headlines",
        name="FLAN-T5-small with our adapter",
        kind="encoder-decoder",
        signature="flan_t5_headlines",
        trained=True,
        base_parameters=FLAN_T5_PARAMETERS,
    ),
    *(
        HeadlineSystem(
            key=f"semeval_{name}",
            name=f"SemEval-2024 task 7, system {name}",
            kind="published headlines",
            predictions=name,
            trained=True,
            chosen_on="its authors' choice",
        )
        for name in ("michal", "cz")
    ),
    *_of("from the hub"),
)


def row(key: str) -> HeadlineSystem:
    """The row of that key, or a row of its own for a generator's name or signature.

    Raises:
        UnknownNameError: It is neither.
        InputError: A parameter of the signature is wrong.
    """
    wanted = system_name(key.strip())
    for one in ROWS:
        if one.key == wanted:
            return one
    try:
        signature = headline_generators.signature(headline_generators.parse(wanted))
    except UnknownNameError:
        raise UnknownNameError(
            f"There is no row and no headline generator called {key!r}.",
            hint=f"Choose one of: {', '.join(one.key for one in ROWS)}.",
        ) from None
    return HeadlineSystem(
        key=signature, name=signature.partition("|")[0], kind="asked for", signature=signature, trained=True
    )
