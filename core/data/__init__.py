"""Timelines, articles, pair sets and selection sets, and files of other annotation tools.

Public: `articles.articles` (ArticleSource, article_sources), `articles.comparison_file`
(parse_comparison), `column_files` (column, read_columns, whole_days), `files` (DataPlace),
`pair_sets.division` (drawn, parts_of), `pair_sets.grouped` (SHARES, GroupedSource, grouped),
`pair_sets.pair_set` (PairSet, PairSource, pair_sources), `timelines.load` (load), `timelines.preview`
(sniff), `timelines.raw` (Layout, RawTable, TableContainer), `timelines.timeline` (Field, Timeline)."""
