"""Networks and what they need: weights, encoders, language models, the training loop."""
