"""BRIO's loss: the model is to find better headlines likelier, by as much as they are apart in rank.

Source: Liu et al. 2022, "BRIO: Bringing Order to Abstractive Summarization", eq. 7 to 9; margin and weights
are those of the authors' settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torch import Tensor

MARGIN: Final = 0.001
"""Difference in score asked for between neighbours in rank."""

RANK_WEIGHT: Final = 10.0
WRITE_WEIGHT: Final = 0.1
"""Weights of the ranking loss and of the cross-entropy of the reference."""

SMOOTHING: Final = 0.1
"""Label smoothing of the cross-entropy."""


def ranking_loss(scores: Tensor) -> Tensor:
    """How far candidates are from being in order, a scalar, 0 where all margins are kept.

    For every distance in rank, the mean over all pairs at that distance; these means are summed.

    Args:
        scores: Length-normalised log-likelihood of the candidates of b articles, the best by ROUGE first,
            float [b, n]; NaN for a candidate that an article lacks. One candidate gives 0.
    """
    import torch

    total = torch.zeros((), device=scores.device)
    for apart in range(1, scores.shape[1]):
        missed = scores[:, apart:] - scores[:, :-apart] + MARGIN * apart
        known = ~torch.isnan(missed)
        if bool(known.any()):
            total = total + missed[known].clamp(min=0).mean()
    return total
