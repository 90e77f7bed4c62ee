"""Candidate pairs, what a pair scorer is, the scorers by kind, and how good scores are.

Public: `features.overlap` (dice, overlap), `scorer` (Formula, Need, PairContext, PairScorer, pair_scorers,
require_vectors), `scorers.pair_models` (Head), `scoring` (score_pairs)."""
