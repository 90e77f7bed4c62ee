"""What can be trained on labelled pairs, one trainer a file."""
