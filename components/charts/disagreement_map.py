"""Headlines on a map, coloured by how often a scorer and people disagree about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from components.charts.theme import calm, hover, ink, is_dark, meaning
from core.palette import AGAINST, NEUTRAL_DARK, NEUTRAL_LIGHT
from core.similarities import Float32Array


def disagreement_figure(
    positions: Float32Array, texts: Sequence[str], wrong: npt.NDArray[np.float64]
) -> go.Figure:
    """The figure.

    Args:
        positions: Places, float32 [n, 2].
        texts: The n headlines.
        wrong: Share of each headline's pairs judged otherwise than by people, 0 to 1; NaN for none.
    """
    colours = ink()
    share = np.nan_to_num(wrong, nan=0.0)
    order = np.argsort(share, kind="stable")
    figure = go.Figure(
        (go.Scattergl if len(texts) > 1_000 else go.Scatter)(
            x=positions[order, 0],
            y=positions[order, 1],
            mode="markers",
            marker={
                "size": 5 + 11 * share[order],
                "color": share[order],
                "cmin": 0.0,
                "cmax": 0.5,
                "colorscale": [
                    [0, NEUTRAL_DARK if is_dark() else NEUTRAL_LIGHT],
                    [1, meaning(AGAINST)],
                ],
                "line": {"width": 0.5, "color": colours.paper},
            },
            hovertext=[
                f"{hover(texts[row])}<br><i>{100 * share[row]:.0f} % judged otherwise</i>"
                for row in order.tolist()
            ],
            hoverinfo="text",
        )
    )
    axis = {"visible": False}
    return calm(figure, height=380, showlegend=False, xaxis=axis, yaxis=axis, dragmode="pan")
