"""The Write page: an article, a system, and its headlines to choose from, change and export."""
