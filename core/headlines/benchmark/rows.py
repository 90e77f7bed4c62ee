"""The rows of the benchmark: every system of the papers, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.errors import UnknownNameError
from core.headlines.generator import headline_generators
from core.headlines.writing.suggesting import system_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One system.

    Attributes:
        key: Short name, as `--system` takes it.
        name: For people; the paper's name where it has one.
        kind: What sort of system it is.
        generator: Signature; parameters that are left out take their defaults. "" where only its headlines
            were published.
        predictions: Name of the system in a set's file of published headlines; "" for none.
        languages: ISO 639-1 codes it writes; empty for any, or for what the generator or its model says.
        trained: Its weights were fitted to articles.
        parameters: Of the model below what is trained here; 0 for none.
        hub: Its weights come from a model hub and do not ship.
        chosen_on: What chose the weights, in words, where no card of ours says it.
    """

    key: str
    name: str
    kind: str
    generator: str = ""
    predictions: str = ""
    languages: tuple[str, ...] = ()
    trained: bool = False
    parameters: int = 0
    hub: bool = False
    chosen_on: str = ""


BASELINE: Final = "first_sentence"
"""The row that every other is tested against."""

SMOLLM2_PARAMETERS: Final = 134_515_008

_EXTRACTIVE: Final = (
    ("first_sentence", "First sentence"),
    ("lead_one", "Random Lead-1"),
    ("textrank", "TextRank"),
    ("lexrank", "LexRank"),
    ("lsa", "LSA"),
    ("luhn", "Luhn"),
    ("sumbasic", "SumBasic"),
)
_RECURRENT: Final = (
    ("s2s", "S2S"),
    ("pointer", "Pointer network (PN)"),
    ("pointer_coverage", "Pointer network with coverage (PNC)"),
    ("copynet", "CopyNet"),
    ("pointer_grammemes", "Pointer-generator with grammemes"),
)
_TRANSFORMERS: Final = (
    ("transformer", "Transformer (NMT baseline)"),
    ("phrase_transformer", "Phrase-based Transformer"),
)
_HUB: Final = (
    ("bart", "BART"),
    ("t5", "T5"),
    ("pegasus", "Pegasus"),
    ("season", "SEASON"),
    ("brio", "BRIO"),
    ("mbart", "mBART"),
    ("rubert_seq2seq", "Seq2seq RuBERT"),
    ("ttgen_bottleneck", "TTGenBottleneck"),
)

ROWS: Final[tuple[Row, ...]] = (
    *(Row(key=key, name=name, kind="extractive", generator=key) for key, name in _EXTRACTIVE),
    *(Row(key=key, name=name, kind="recurrent", generator=key, trained=True) for key, name in _RECURRENT),
    *(
        Row(key=key, name=name, kind="Transformer", generator=key, trained=True)
        for key, name in _TRANSFORMERS
    ),
    Row(
        key="smollm2",
        name="SmolLM2 135M, prompted",
        kind="language model",
        generator="smollm2",
        trained=True,
        parameters=SMOLLM2_PARAMETERS,
        chosen_on="nothing here; it was not trained on these articles by us",
    ),
    Row(
        key="smollm2_headlines",
        name="SmolLM2 135M with our adapter (default)",
        kind="language model",
        generator="smollm2_headlines",
        trained=True,
        parameters=SMOLLM2_PARAMETERS,
    ),
    *(
        Row(
            key=f"semeval_{name}",
            name=f"SemEval-2024 task 7, system {name}",
            kind="published headlines",
            predictions=name,
            trained=True,
            chosen_on="its authors' choice",
        )
        for name in ("michal", "cz")
    ),
    *(
        Row(key=key, name=name, kind="from the hub", generator=key, trained=True, hub=True)
        for key, name in _HUB
    ),
)


def row(key: str) -> Row:
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
    return Row(
        key=signature, name=signature.partition("|")[0], kind="asked for", generator=signature, trained=True
    )
