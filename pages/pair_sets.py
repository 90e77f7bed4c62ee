"""Pair sets: what are pair models trained and measured on?"""

from components.page import page, signature
from components.pair_sets.view import (
    PICKED,
    bring_pairs,
    builder,
    choose,
    facts,
    missing,
    opened,
    pair_table,
    pictures,
)

with page(__file__, "Pair sets", "What are pair models trained and measured on?"):
    source = choose()
    bring_pairs(PICKED, key="pair-sets-own")
    found = opened(source)
    facts(found)
    pictures(found)
    pair_table(found.pairs)
    signature(f"{found.signature} · pairs:{found.pairs.fingerprint}")
    missing()
    builder()
