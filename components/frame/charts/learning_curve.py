"""How well a model meets held-out answers, by how many labels it learned from."""

import altair as alt

from components.frame.charts import theme, vega_parts
from core.pairs.learning import LearningCurve
from core.palette import AGREES
from core.statistics.bootstrap import Figure


def learning_chart(curve: LearningCurve) -> alt.LayerChart:
    def row(labels: int, figure: Figure) -> dict[str, float | None]:
        ends = {"share": figure.value, "low": figure.low, "high": figure.high}
        shown = {name: None if end is None else round(100 * end, 1) for name, end in ends.items()}
        return {"labels": labels, **shown}

    steps = [row(labels, figure) for labels, figure in curve.steps]
    base = alt.Chart(vega_parts.unlisted_data("untrained", [row(0, curve.untrained)]))
    x = alt.X(
        "labels:Q", title="Labels learned from", scale=alt.Scale(domain=[0, 1.05 * steps[-1]["labels"]])
    )
    scale = alt.Scale(zero=False)
    y = alt.Y("share:Q", title="Held-out answers met, %", scale=scale)
    colour = theme.meaning_colour(AGREES)
    untrained = base.mark_rule(strokeDash=[6, 3], color=theme.ink().muted).encode(y=y)
    word = base.mark_text(align="left", dx=6, dy=-8, color=theme.ink().muted).encode(
        x=alt.value(0), y=y, text=alt.value("untrained")
    )
    trained = alt.Chart(alt.InlineData(values=steps)).encode(x=x)
    said = [alt.Tooltip(f"{name}:Q") for name in ("labels", "share", "low", "high")]
    spans = trained.mark_rule(strokeWidth=2.5, opacity=0.7, color=colour).encode(
        y=alt.Y("low:Q", scale=scale), y2="high:Q"
    )
    line = trained.mark_line(point=True, color=colour).encode(y=y, tooltip=said)
    return (untrained + word + spans + line).properties(height=240)
