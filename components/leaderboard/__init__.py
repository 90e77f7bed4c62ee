"""Components of Leaderboard."""
