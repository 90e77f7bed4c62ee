"""Networks that read an article word by word and write its headline: words, batches, search."""
