"""Tables to look at: figures stand at the right of their column."""

import pandas as pd
import pytest

from components.frame import tables

LOOK = {"alt": "Systems", "columns": {"ROUGE": "Shared words", "System": {"pinned": True}}}


@pytest.mark.parametrize(
    "figures",
    [
        ("29.52 [23.33, 36.56]", "–"),
        ("1,500 [1,200, 1,800] †", "<0.001"),
        ("+1.5", "−0.25**"),
        ("33 MB", "8.1 s"),
    ],
)
def test_figures_written_as_words_stand_right_and_keep_what_is_said_of_their_column(monkeypatch, figures):
    drawn = {}
    monkeypatch.setattr(tables.st, "dataframe", lambda frame, **looks: drawn.update(looks))
    frame = pd.DataFrame(
        {"System": ["a", "b"], "ROUGE": figures, "Judged": "26 Nov 2026, 05:50 UTC", "No": "–"}
    )
    tables.show_table(frame, **LOOK)
    looks = drawn["column_config"]
    assert {name for name, look in looks.items() if look.get("alignment") == "right"} == {"ROUGE"}
    assert looks["ROUGE"]["help"] == "Shared words"
    assert looks["ROUGE"]["label"].endswith("ROUGE")
    assert looks["System"]["pinned"]
