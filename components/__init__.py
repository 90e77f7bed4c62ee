"""Everything that draws or keeps state in Streamlit.

Public: `frame.charts.theme` (show_chart), `frame.downloads` (downloads), `frame.markdown` (plain),
`frame.page_state` (PageView, ViewState, controlled, integer, linked), `frame.progress` (finished),
`frame.publish` (publish_table), `frame.subject` (signature), `frame.widgets` (show_table), `page` (page),
`timeline.headline_map` (look), `timeline.workspace` (View, open_view)."""
