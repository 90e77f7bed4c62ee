"""Writing headlines for articles, and choosing among headlines of one event.

Public: `comparison.compare` (compare), `comparison.comparison` (duels), `comparison.table`
(comparison_as_text, comparison_table), `generator` (GeneratorRecipe, headline_generators, leading),
`generators.sentences` (Scored, SentenceRecipe), `metrics` (Column, HeadlineMetric, MetricInput, Scored,
headline_metrics), `selection` (SelectorRecipe, headline_selectors). Inside: selectors."""
