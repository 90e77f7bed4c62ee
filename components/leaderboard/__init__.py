"""Components of the Leaderboard page."""
