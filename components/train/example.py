"""What the Train page shows before anything was trained: the curves of a model that ships."""

from __future__ import annotations

import json

import streamlit as st

from components.train.runs import curves
from core import files

_MODELS = files.ROOT / "models"


def example() -> None:
    """What to do, and a real run's curves where one ships."""
    st.info(
        "**Nothing has been trained here yet.**  \nChoose pairs below and start: loss and F1 appear here "
        "while the model learns.",
        icon=":material/model_training:",
    )
    shipped = sorted(_MODELS.glob("*/progress.jsonl"))
    if shipped:
        name = shipped[0].parent.name
        st.caption(f"How it looks: the training of the model {name}, which ships.")
        lines = [json.loads(line) for line in shipped[0].read_text(encoding="utf-8").splitlines()]
        curves(lines, key="example")
