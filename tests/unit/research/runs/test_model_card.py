import yaml

from research.runs.model_card import measure_table, model_card, pair_measures

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


def test_undefined_is_a_word_and_never_a_number():
    text = model_card(**CARD)
    assert "| precision | undefined | undefined |" in text
    assert "| recall | 0.500 | undefined |" in text
    assert "nan" not in text.lower()
    assert "There was no validation part" in model_card(**CARD | {"measured": pair_measures({})})


def test_the_head_is_yaml_whatever_the_base_is_called():
    for base in ("minilm", "owner/name: with | signs", "- a\n- b", ""):
        head = model_card(**CARD | {"base": base}).split("---\n")[1]
        values = yaml.safe_load(head)
        assert ("library_name" in values) == bool(base), "a model without a base is none of transformers"
        assert values.get("base_model", "") == " ".join(base.split())


def test_measures_of_written_headlines_are_a_table():
    lines = measure_table({"rouge_mean": 0.1234, "loss": None})
    assert "| rouge mean | 0.1234 |" in lines
    assert "| loss | undefined |" in lines
    assert measure_table({}) == ["There was no validation part."]
