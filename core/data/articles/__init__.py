"""Articles with the headlines that people gave them: what is read, and where sets of them come from."""
