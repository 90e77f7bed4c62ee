"""Writes requirements/sbom.cdx.json: every pinned package, its version and licence, as CycloneDX has it.

python requirements/sbom.py            `make sbom`
python requirements/sbom.py --check    only ask whether the file says what the pins say, on any machine

A licence is what the package says of itself. Of one that this machine does not install the file's word stays.
"""

import json
import re
import sys
import tomllib
from importlib import metadata
from typing import Any

from lock import FOLDER, MAIN, PIN, PYTHONS, SYSTEMS, target
from packaging.markers import Marker
from packaging.utils import canonicalize_name

FILE = FOLDER / "sbom.cdx.json"
SCOPES = {"cuda.txt": "optional", "lm.txt": "optional", "dev.txt": "excluded"}  # excluded: only tests need it
MACHINES = [target(python, system) for python in PYTHONS for system in SYSTEMS]
LONGEST = 60  # characters of a licence's name; more is its text


def licence(name: str, version: str) -> dict[str, Any] | None:
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    if about["Version"].partition("+")[0] != version:
        return None
    if expression := about.get("License-Expression"):
        return {"expression": expression}
    text = about.get("License") or ""
    classes = re.findall(
        r"^License :: OSI Approved :: (.+)", "\n".join(about.get_all("Classifier") or ()), re.M
    )
    words = ["" if "\n" in text else text, *classes, text.partition("\n")[0], "not stated"]
    return {"license": {"name": next(word for word in words if 0 < len(word) < LONGEST)}}


def bill(stated: dict[str, list[Any]]) -> dict[str, Any]:
    parts = {}
    for file in (MAIN, *(FOLDER / name for name in SCOPES)):
        for name, version, marker, _ in PIN.findall(re.sub(r" \\\n\s*", " ", file.read_text())):
            if marker and not any(Marker(marker).evaluate(machine) for machine in MACHINES):
                continue
            purl = f"pkg:pypi/{canonicalize_name(name)}@{version}"
            said = licence(name, version)
            known = [said] if said else stated.get(purl)
            if not known:
                sys.exit(f"{name} {version} is not installed: install it, or write its licence there.")
            part = {"type": "library", "bom-ref": purl, "purl": purl, "name": name, "version": version}
            part["scope"] = SCOPES.get(file.name, "required")
            parts[purl] = part | {"licenses": known}
    own = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    program = {"type": "application", "name": own["name"], "version": own["version"]}
    program["licenses"] = [{"expression": own["license"]}]
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": program}}
    return head | {"components": [parts[purl] for purl in sorted(parts)]}


if __name__ == "__main__":
    before = json.loads(FILE.read_text())
    after = bill({part["purl"]: part["licenses"] for part in before["components"]})
    if "--check" not in sys.argv:
        FILE.write_text(json.dumps(after).replace('{"type"', '\n{"type"') + "\n")
    elif before != after:
        sys.exit("requirements/sbom.cdx.json does not say what the pins say: run `make sbom`.")
