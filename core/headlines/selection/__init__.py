"""Which headline of a group is best: features, the model, its study and training."""
