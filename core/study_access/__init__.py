"""Programs that reach studies by tokens, as people do on pages, and webhooks that tell what came of them.

Public: `tokens` (make_token). Inside: study_items, answering, deciding."""
