"""Candidate pairs, what a pair scorer is, the scorers by kind, and how good scores are.

Public: `context` (PairContext, require_vectors), `features.overlap` (dice, overlap), `scorer` (Formula,
Need, PairScorer, pair_scorers), `scorers.pair_models` (Head), `scoring` (score_pairs)."""
