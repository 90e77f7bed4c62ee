"""The Room page of a teacher, and the page that phones join."""
