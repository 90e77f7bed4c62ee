"""`python -m cli` is the headline-lab command."""

from cli.main import main

main()
