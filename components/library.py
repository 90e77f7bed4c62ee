"""Tables of everything that has weights and of every registered method."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.tables import text_table
from core import limits
from core.catalogue.catalogue import left_out, methods
from core.models.weights.cards import Folder, Package, Source, cards, shipped_weights


def models_table() -> None:
    """Models: licence, where the weights come from, whether they are here, how fast."""
    models = cards()
    text_table(
        {
            "Name": [m.title for m in models],
            "For": [m.what_for for m in models],
            "Licence": [m.licence for m in models],
            "Weights": [_source(m.source) for m in models],
            "MB": [m.megabytes for m in models],
            "Speed": [m.speed for m in models],
        }
    )
    st.caption("Trained with this program; the card of each says on what and how well.")
    found_by_name = {m.name for m in models}
    own = [m for m in shipped_weights() if m.name not in found_by_name]
    text_table(
        {
            "Name": [m.name for m in own],
            "For": [plain(m.about) for m in own],
            "Licence": [plain(m.licence) for m in own],
            "Card": [f"models/{m.name}/README.md" for m in own],
            "MB": [f"{m.megabytes:.1f}" for m in own],
        }
    )


def _source(source: Source) -> str:
    if isinstance(source, Package):
        return f"inside the package {source.distribution}"
    return f"folder {source.path}" if isinstance(source, Folder) else f"hub: {source.id}"


def files_left_out() -> None:
    """Says which files of methods could not be read; nothing in a sound tree."""
    for said in left_out():
        st.warning(plain(said), icon=":material/report:")


def server_memory() -> None:
    """How much memory this server uses, and what bounds it."""
    import psutil

    used = psutil.Process().memory_info().rss / 1e6
    most = limits.KEPT_MEGABYTES.value
    st.caption(
        f"This server uses {used:,.0f} MB of memory. Of finished work and of opened files it keeps at most "
        f"{most:,} MB each; what was used longest ago goes first, and what somebody has open stays."
    )


def methods_table() -> None:
    """Methods by kind, with their parameters as they stand in signatures."""
    rows = methods()
    text_table(
        {
            "Kind": [m.kind for m in rows],
            "Name": [m.name for m in rows],
            "What it does": [m.summary for m in rows],
            "Parameters": [plain(m.signature.partition("|")[2].replace("|", ", ")) for m in rows],
        }
    )
