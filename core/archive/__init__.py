"""Archives: months of news, up to millions of headlines, grouped and mapped in a folder on disk."""
