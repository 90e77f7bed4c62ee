"""Timelines, articles, pair sets and selection sets, and files of other annotation tools.

Public: `articles.articles` (ArticleSource, article_sources), `articles.comparison_file`
(parse_comparison), `files` (DataPlace, column, read_columns, whole_days), `pair_sets.grouped` (SHARES,
GroupedSource, grouped), `pair_sets.pair_set` (PairSet, PairSource, drawn, pair_sources, parts_of),
`timelines.load` (load, sniff), `timelines.raw` (Layout, RawTable, TableContainer), `timelines.timeline`
(Field, Timeline)."""
