"""Models that run: weights, cards, encoders, language models, networks and boosted trees.

Public: `encoders.encoder` (EncoderRecipe, NetworkEncoder, encoders), `language_models.recipe`
(LanguageModelRecipe, language_models)."""
