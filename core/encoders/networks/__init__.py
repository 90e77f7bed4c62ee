"""The networks themselves; they import torch, so recipes import them inside `build`."""
