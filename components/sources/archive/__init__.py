"""Archives: a map of up to millions of headlines, search, selection and lists."""
