"""The command `headline-lab`, which is found wherever the package is installed."""


def main() -> None:
    from cli.main import main as run

    run()
