"""The headline-lab command: verbs by subject, each as thin as a page."""
