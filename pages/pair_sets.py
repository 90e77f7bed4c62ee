"""Pair sets: what are pair models trained and measured on?"""

from components.own_pairs import bring_pairs
from components.page import page, signature
from components.pair_sets import PICKED, choose, facts, missing, opened, pictures
from components.pair_sets_builder import builder
from components.pair_sets_table import pair_table

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
