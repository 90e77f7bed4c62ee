"""Models that run: weights, cards, encoders, language models, networks and boosted trees.

Public: `encoders.encoder` (EncoderRecipe, encoders), `encoders.network_encoder` (NetworkEncoder),
`language_models.recipe` (LanguageModelRecipe, language_models)."""
