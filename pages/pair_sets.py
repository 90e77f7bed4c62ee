"""Pair sets: what are pair models trained and measured on?"""

from components.page import page, signature
from components.pair_sets import choose, facts, missing, opened, pictures
from components.pair_sets_builder import builder
from components.pair_sets_table import pair_table

with page(__file__, "Pair sets", "What are pair models trained and measured on?"):
    found = opened(choose())
    facts(found)
    pictures(found)
    pair_table(found.pairs)
    signature(f"{found.signature} · pairs:{found.pairs.fingerprint}")
    missing()
    builder()
