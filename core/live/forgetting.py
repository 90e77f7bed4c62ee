"""An address or a publisher removed from the streams that are kept."""

from collections.abc import Collection, Iterator
from typing import Any

from core import files
from core.errors import CoreError
from core.journal.erasure import Secret, headlines_in, own_names
from core.live.kept import kept_streams
from core.live.log import FORGOTTEN, StreamLog, line_of


def headlines_in_streams(secret: Secret) -> Iterator[str]:
    """The headlines that streams in the folder say to be of an address or publisher."""
    for path in kept_streams():
        for body in StreamLog(path).bodies():
            yield from headlines_in(body, secret)


def clean_streams(secret: Secret) -> list[dict[str, Any]]:
    """Removes headlines from the streams in the folder, for good: their sources do not bring them back."""
    report: list[dict[str, Any]] = []
    for path in kept_streams():
        bodies = list(StreamLog(path).bodies())
        named = [body for body in bodies if isinstance(body.get("headline"), dict)]
        keys = {body["headline"]["key"] for body in named if own_names(body["headline"], secret)}
        if not keys:
            continue
        with files.only_one(StreamLog(path).looked) as alone:
            if not alone:
                report.append({"stream": path.stem, "problem": "It is followed: stop it, then forget again."})
                continue
            try:
                files.write(path, b"".join(line_of(_without(body, keys)) for body in bodies))
                report.append({"stream": path.stem, "removed": len(keys)})
            except CoreError as error:
                report.append({"stream": path.stem, "problem": str(error)})
    return report


def _without(body: dict[str, Any], keys: Collection[str]) -> dict[str, Any]:
    if "stream" in body:
        return {**body, FORGOTTEN: sorted({*body.get(FORGOTTEN, ()), *keys})}
    changes = []
    for change in body["changes"]:
        left = [key for key in change.get("keys", ()) if key not in keys]
        if left or not change.get("keys"):
            changes.append({**change, "keys": left} if left else change)
    gone = body.get("headline", {}).get("key") in keys
    left_over = {name: value for name, value in body.items() if not (gone and name == "headline")}
    return left_over | {"changes": changes}
