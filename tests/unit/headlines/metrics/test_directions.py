from core.headlines.metrics.metric import headline_metrics

HIGHER = {
    *("bert_score_f1_minilm", "bert_score_p_minilm", "bert_score_r_minilm", "mover_score_minilm"),
    *("bleu", "chrf", "meteor_no_synonyms", "rouge1", "rouge2", "rougeL", "rouge_mean"),
    *("headlines_passing", "numeral_accuracy", "numeral_accuracy_copy", "numeral_accuracy_reasoning"),
    *("numeral_found", "numeral_support", "numeral_supported"),
}
LOWER = {"numeral_check", "numeral_wrong", "repeated_bigrams", "repeated_words", "reused"}
NEITHER = {
    *("compression", "coverage", "density", "headlines_with_numerals", "longest_copy"),
    *("novel_bigrams", "novel_words", "words"),
}
SHIPPED = {**dict.fromkeys(HIGHER, True), **dict.fromkeys(LOWER, False), **dict.fromkeys(NEITHER, None)}
"""Columns that ship; a metric that is added declares its own."""


def test_every_score_that_ships_has_its_better_end():
    found = {
        column.name: column.higher_is_better
        for name in headline_metrics.names()
        for column in headline_metrics.parse(name).columns
    }
    assert {name: found[name] for name in SHIPPED} == SHIPPED
