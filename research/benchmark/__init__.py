"""The engine of all benchmarks: systems × sets, stored, resumed and compared; subjects declare the rest."""
