"""What language models at an address are asked, a file a version."""
