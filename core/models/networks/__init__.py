"""Networks that read texts, and the batching that keeps the cores busy; imported when they are built."""
