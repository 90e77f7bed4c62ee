"""The headline-lab command: one file a verb, as thin as a page."""
