"""Models that run: weights, cards, encoders, language models, networks and boosted trees."""
