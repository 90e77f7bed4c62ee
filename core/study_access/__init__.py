"""Programs that reach studies by tokens, as people do on pages, and models that judge or label there.

Public: `tokens` (make_token)."""
