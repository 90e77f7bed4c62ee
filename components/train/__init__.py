"""Training runs: form, progress, history."""
