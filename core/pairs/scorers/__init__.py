"""Every pair scorer; each module registers one or a family of them."""
