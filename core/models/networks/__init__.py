"""Networks that read texts, and the batching that keeps the cores busy; recipes import them when they build.

`bert` and `pooled` import torch.
"""
