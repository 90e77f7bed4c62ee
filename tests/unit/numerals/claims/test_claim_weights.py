"""The trees that judge claims: grown from made-up rows, written, read, and what they come to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.numerals.claims.weights import ABOUT, PARTS, TREES, read_claim_weights, write_claim_weights
from core.runtime import Runtime
from research.runs.growing import TreeTraining
from research.training.numerals import verdict_training
from research.training.numerals.verdict_training import HEDGED, MADE_BY, NAMES, RIGHT, ClaimRows, fit_claims

FEW = TreeTraining(trees=15, depth=2)


def rows(seed: int) -> ClaimRows:
    """Each part's wrong claims are low in one number that the part looks at."""
    generator = np.random.default_rng(seed)
    kinds = [RIGHT] * 200 + [HEDGED] * 20
    found = [generator.normal(size=(220, len(NAMES)))]
    signs = {
        "value": "value_error",
        "place": "rival_ahead",
        "unit": "unit_strict",
        "bound": "bound_source",
        "word": "word_nearer",
        "holder": "holder_early",
    }
    for part in PARTS:
        made = generator.normal(size=(60, len(NAMES)))
        made[:, NAMES.index(signs[part])] -= 6
        found.append(made)
        kinds += [str(sorted(MADE_BY[part])[0])] * 60
    nothing = np.zeros(len(kinds), dtype=bool)
    return ClaimRows(np.concatenate(found), np.array(kinds), nothing, nothing, nothing, np.arange(len(kinds)))


@pytest.mark.slow
def test_what_is_grown_is_read_again_and_finds_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict_training, "DEEP", FEW)
    monkeypatch.setattr(verdict_training, "SHALLOW", FEW)
    weights = fit_claims(rows(1), rows(2), None, Runtime())
    write_claim_weights(tmp_path, weights)
    read = read_claim_weights(NAMES, tmp_path)
    assert read.constants == weights.constants
    new = rows(3)
    parts = read.parts(new.rows)
    said = read.whole(parts)
    assert said[new.right].mean() > said[~new.right].mean() + 0.3
    for part in PARTS:
        mine = np.isin(new.kinds, [str(how) for how in MADE_BY[part]])
        worst = [min(parts, key=lambda one: parts[one][row]) for row in np.flatnonzero(mine)]
        assert worst.count(part) > len(worst) / 2
    with pytest.raises(ModelUnavailableError):
        read_claim_weights(NAMES[:-1], tmp_path)


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / ABOUT).write_text("{}")
    (tmp_path / TREES).write_bytes(b"")
    with pytest.raises(ModelUnavailableError):
        read_claim_weights(NAMES, tmp_path)
