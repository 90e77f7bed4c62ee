"""Pre-trained encoder-decoders of transformers that write headlines: opening, reading, writing, learning."""
