"""Headlines of several systems on one screen: which articles, in which order, marked, named or not."""
