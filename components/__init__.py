"""Everything that draws or keeps state in Streamlit.

Public: `frame.charts.show_chart` (show_chart), `frame.controlled` (controlled), `frame.downloads`
(downloads), `frame.links` (integer, linked), `frame.markdown` (plain), `frame.progress` (finished),
`frame.publish` (publish_table), `frame.subject` (signature), `frame.tables` (show_table), `frame.view_state`
(PageView, ViewState), `page` (page), `timeline.first_look` (look), `timeline.workspace` (View, open_view)."""
