"""Everything that has weights: what it is, where it lies, and how it is read safely."""

from __future__ import annotations

from core.models.weights.cards import Folder, KnownModel, Package, card, cards
from core.models.weights.files import (
    everything_inside,
    fault,
    fingerprint,
    has_tokenizer,
    hash_of,
    hashes_of,
    load_state,
    model_files,
    read_settings,
    require_tensors,
    require_tokenizer,
    weights_of,
    weights_told,
)
from core.models.weights.locate import (
    ALLOW_HUB,
    folder_named,
    hub_allowed,
    locate,
    prepare_hub_libraries,
    shipped_or_own,
)

__all__ = [
    "ALLOW_HUB",
    "Folder",
    "KnownModel",
    "Package",
    "card",
    "cards",
    "everything_inside",
    "fault",
    "fingerprint",
    "folder_named",
    "has_tokenizer",
    "hash_of",
    "hashes_of",
    "hub_allowed",
    "load_state",
    "locate",
    "model_files",
    "prepare_hub_libraries",
    "read_settings",
    "require_tensors",
    "require_tokenizer",
    "shipped_or_own",
    "weights_of",
    "weights_told",
]
