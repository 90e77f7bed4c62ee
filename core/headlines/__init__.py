"""Writing headlines for articles, and choosing among headlines of one event.

Public: `comparison.compare` (compare), `comparison.duels` (duels), `comparison.table` (comparison_table),
`comparison.written_table` (comparison_as_text), `generator` (GeneratorRecipe, headline_generators),
`generators.sentences` (Scored, SentenceRecipe), `headline_text` (leading), `metrics` (Column,
HeadlineMetric, MetricInput, Scored, headline_metrics), `selection` (SelectorRecipe, headline_selectors).
Inside: selectors."""
