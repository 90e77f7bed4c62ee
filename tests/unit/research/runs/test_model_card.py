from research.runs.model_card import model_card, pair_measures

MEASURED = {
    "At the threshold": {
        "pairs": 600,
        "threshold": 0.41234,
        "resampled": "groups",
        "warning": "",
        "f1": [0.8123, 0.75, 0.86],
        "precision": [None, None, None],
        "recall": [0.5, None, None],
        "average_precision": [0.9, 0.8, 1.0],
    }
}
CARD = {
    "title": "Cross encoder trained on uci",
    "licence": "Apache-2.0",
    "base": "minilm",
    "task": "text-classification",
    "tags": ("news",),
    "purpose": "Says whether two headlines tell the same event.",
    "unit": "pairs",
    "data": [
        {"name": "uci", "fingerprint": "0123", "train": 6000, "validation": 600, "licence": "CC BY 4.0"}
    ],
    "untouched": "Test parts were not looked at.",
    "command": "headline-lab train pair uci --out RUN",
    "settings": {"seed": 0, "trainer": "cross_encoder.v1|base:minilm"},
    "measured": pair_measures(MEASURED),
    "use": "headline-lab score PAIRS.csv --out OUT.csv --scorer 'finetuned.v1|model:RUN/model'",
}


def test_everything_that_made_the_model_is_there():
    text = model_card(**CARD)
    assert "| uci | 0123 | 6,000 | 600 | CC BY 4.0 |" in text
    assert "headline-lab train pair uci --out RUN" in text
    assert "--scorer 'finetuned.v1|model:RUN/model'" in text
    assert "| F1 | 0.812 | 0.750 to 0.860 |" in text
    assert "At the threshold (0.4123), 600 validation pairs" in text
    assert "bootstrapped over groups" in text
    assert "| trainer | cross_encoder.v1\\|base:minilm |" in text, "a bar would end the cell"
