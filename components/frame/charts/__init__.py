"""Charts, drawn with Altair; the map and the lanes, in which headlines are selected, with Plotly."""
