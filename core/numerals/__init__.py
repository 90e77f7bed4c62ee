"""Numerals: reading them, deriving them from an article, and saying whether a headline's are supported.

Public: `checking` (load_checker), `filling` (load_filler), `operators` (OPERATORS), `question`
(AlignerRecipe, source_aligners), `reader` (ClaimReaderRecipe, claim_readers)."""
