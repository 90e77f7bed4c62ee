"""Every source of labelled pairs."""
