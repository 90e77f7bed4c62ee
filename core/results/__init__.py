"""Tables and their renderers.

Public: `table` (Table, TableColumn), `table_files` (as_csv, as_frame, as_latex, as_markdown)."""
