"""Writes requirements.txt and its companions: every package that is installed, pinned, with its hashes.

python requirements/lock.py      `make lock`; edit the `.in` files to add a package or change a version

Versions that are pinned already stay unless an `.in` file asks for another. The files hold for every system
and Python that the project supports. What only a CUDA build of torch needs stands apart, so that a machine
without a GPU can leave it out.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MAIN = FOLDER.parent / "requirements.txt"
CUDA = re.compile(r"(nvidia|cuda|triton)\b")
ABOUT = "# Written by `make lock` from {}; every package with the hashes of its files."


def main() -> None:
    """Locks the program, what tests need beyond it, what benchmarks need beyond both, and the model."""
    known: dict[str, str] = {}
    for name in ("app", "dev", "bench", "lm"):
        sources = [f"{one}.in" for one in ("app", "dev", "bench")]
        sources = [f"{name}.in"] if name == "lm" else sources[: sources.index(f"{name}.in") + 1]
        found = locked(sources, ["--no-deps"] if name == "lm" else [])
        new = {package: text for package, text in found.items() if package not in known or name == "lm"}
        known |= new
        if name != "app":
            write(FOLDER / f"{name}.txt", f"{name}.in", new.values())
            continue
        cuda = {package for package in new if CUDA.match(package)}
        write(FOLDER / "cuda.txt", "app.in", [new[package] for package in sorted(cuda)])
        plain = [text for package, text in new.items() if package not in cuda]
        write(MAIN, "requirements/app.in", ["-r requirements/cuda.txt", *plain])


def locked(sources: list[str], options: list[str]) -> dict[str, str]:
    """Lines of each package, by its name."""
    command = [sys.executable, "-m", "uv", "pip", "compile", *sources, "--universal", "--generate-hashes"]
    command += ["--python-version", "3.11", "--no-annotate", "--no-header", "--quiet", *options]
    pins = [line for file in (MAIN, *FOLDER.glob("*.txt")) for line in pinned(file)]
    command += ["--constraints", "-"] if pins else []
    done = subprocess.run(  # noqa: S603 - uv, on files of the project
        command, cwd=FOLDER, input="\n".join(pins), text=True, capture_output=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return {re.split("[= ]", text)[0]: text for text in re.split(r"\n(?=\w)", done.stdout.strip())}


def pinned(file: Path) -> list[str]:
    """Name and version of each package of a locked file that no `.in` file pins itself."""
    own = "".join(one.read_text() for one in FOLDER.glob("*.in")).lower().replace("_", "-")
    lines = file.read_text().splitlines() if file.exists() else []
    found = [line.removesuffix(" \\") for line in lines if re.match(r"\w[\w.-]*==", line)]
    return [line for line in found if f"\n{line.partition('==')[0]}==" not in own]


def write(file: Path, source: str, entries: Iterable[str]) -> None:
    """Writes one locked file."""
    file.write_text("\n".join([ABOUT.format(source), *entries]) + "\n")


if __name__ == "__main__":
    main()
