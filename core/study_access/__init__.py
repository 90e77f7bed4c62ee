"""Programs that reach studies by tokens, as people do on pages. Public: `tokens` (make_token)."""
