"""Writes requirements.txt and its companions: every package that is installed, pinned, with its hashes.

python requirements/lock.py            `make lock`; edit the `.in` files to add a package or change a version
python requirements/lock.py --check    only ask whether every Python and system gets a wheel of every package

Versions that are pinned already stay unless an `.in` file asks for another. The files hold for every system
and Python that the project supports. What only a CUDA build of torch needs stands apart, so that a machine
without a GPU can leave it out.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).resolve().parent
MAIN = FOLDER.parent / "requirements.txt"
CUDA = re.compile(r"(nvidia|cuda|triton)\b")
ABOUT = "# Written by `make lock` from {}; every package with the hashes of its files."

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS: dict[str, tuple[list[str], dict[str, str]]] = {
    "Linux x86-64": (
        [*(f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)), "manylinux2014_x86_64"],
        {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"},
    ),
    "macOS ARM": (
        ["macosx_14_0_arm64"],
        {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
    ),
    "Windows": (
        ["win_amd64"],
        {"sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
    ),
}
"""Names that pip has for their wheels, and what markers see there."""
CHECKED = (MAIN, *(FOLDER / f"{name}.txt" for name in ("cuda", "lm", "dev")))
SOURCE_ONLY = {"docopt", "rouge-score"}
"""Have no wheel; plain Python, which no compiler is needed for."""
PIN = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.+?))?((?: --hash=sha256:\w+)+)$", re.MULTILINE)


def main() -> None:
    """Locks and checks."""
    if "--check" not in sys.argv:
        lock()
    rows = [[python, *(f"{len(pins(python, system))} packages" for system in SYSTEMS)] for python in PYTHONS]
    problems = []
    for row in rows:
        for column, system in enumerate(SYSTEMS, 1):
            wrong = faults(row[0], system)
            problems += [f"Python {row[0]}, {system}: {fault}" for fault in wrong]
            row[column] += f", {len(wrong)} wrong" if wrong else ", all there"
    for row in (["Python", *SYSTEMS], *rows):
        print("".join(f"{cell:28}" for cell in row).rstrip())  # noqa: T201
    sys.exit("\n".join(problems))


def pins(python: str, system: str) -> dict[str, tuple[str, set[str]]]:
    """Version and hashes of each package that is installed there, by its name."""
    found: dict[str, tuple[str, set[str]]] = {}
    for file in CHECKED:
        text = re.sub(r" \\\n\s*", " ", file.read_text())
        for name, version, marker, hashes in PIN.findall(text):
            if not marker or Marker(marker).evaluate(target(python, system)):
                found[canonicalize_name(name)] = (version, set(re.findall(r"sha256:(\w+)", hashes)))
    return found


def target(python: str, system: str) -> dict[str, str]:
    """What markers see on another machine; pip itself would look at this one."""
    return {
        **SYSTEMS[system][1],
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "platform_python_implementation": "CPython",
        "os_name": "nt" if system == "Windows" else "posix",
        "platform_release": "",
        "platform_version": "",
        "extra": "",
    }


def faults(python: str, system: str) -> list[str]:
    """What an installation there lacks: a wheel, the hash of one, or a package that another asks for."""
    pinned = pins(python, system)
    asked = {name: pinned[name][0] for name in pinned if name not in SOURCE_ONLY}
    wrong = []
    while isinstance(files := dry_run(asked, python, system), str):
        if files not in asked:
            return [*wrong, files]
        wrong.append(f"no wheel of {files} {asked.pop(files)}")
    free = set(re.findall(r"^([\w.-]+)==", (FOLDER / "lm.txt").read_text(), re.MULTILINE))
    for file in files:
        name = canonicalize_name(file["metadata"]["name"])
        digest = file["download_info"]["archive_info"]["hashes"]["sha256"]
        if digest not in pinned[name][1] and "+cpu" not in file["metadata"]["version"]:
            wrong.append(f"the wheel of {name} is not the one that is pinned")
        for line in () if name in free else file["metadata"].get("requires_dist", ()):
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate(target(python, system)):
                version = pinned.get(canonicalize_name(needed.name), ("",))[0]
                if not version or not needed.specifier.contains(version, prereleases=True):
                    wrong.append(f"{name} needs {needed}, and {version or 'nothing'} is pinned")
    return wrong


def dry_run(asked: dict[str, str], python: str, system: str) -> list[dict[str, Any]] | str:
    """The files that pip would take there, or the package that it has no wheel of, or what it says."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps"]
        command += ["--quiet", "--only-binary=:all:", "--target", folder, "--report", str(report)]
        command += ["--python-version", python, "--implementation", "cp"]
        command += [f"--platform={tag}" for tag in SYSTEMS[system][0]]
        command += [f"{name}=={version}" for name, version in asked.items()]
        done = subprocess.run(command, text=True, capture_output=True, check=False)  # noqa: S603 - pip
        if not done.returncode:
            return list(json.loads(report.read_text())["install"])
    missing = re.search(r"No matching distribution found for ([\w.-]+)==", done.stderr)
    return canonicalize_name(missing[1]) if missing else done.stderr


def lock() -> None:
    """Locks the program, what tests need beyond it, benchmarks or the site beyond both, and the model."""
    known: dict[str, str] = {}
    sources: list[str] = ["research.in"]
    for name in ("app", "dev", "bench", "docs", "lm"):
        asked = [f"{name}.in"] if name == "lm" else [*sources, f"{name}.in"]
        found = locked(asked, ["--no-deps"] if name == "lm" else [])
        new = {package: text for package, text in found.items() if known.get(package) != text}
        if name in ("app", "dev"):
            known, sources = known | new, asked
        if name != "app":
            write(FOLDER / f"{name}.txt", f"{name}.in", new.values())
            continue
        cuda = {package for package in new if CUDA.match(package)}
        write(FOLDER / "cuda.txt", "app.in", [new[package] for package in sorted(cuda)])
        plain = [text for package, text in new.items() if package not in cuda]
        write(MAIN, "requirements/app.in and research.in", ["-r requirements/cuda.txt", *plain])


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
