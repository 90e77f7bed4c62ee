"""Forms of questions, one file a form."""
