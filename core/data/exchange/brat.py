"""Answers in the standoff files of brat."""

import io
import re
import tarfile
import zipfile
import zlib
from itertools import pairwise
from pathlib import PurePosixPath

from core.data.timelines.decode import decode
from core.data.timelines.gz import GZIP, check_unpacked, gunzip
from core.errors import InputError
from core.text.normalise import clean_line

_FILE = re.compile(r"(?:.*/)?[^./][^/]*\.ann")
_HEADLINE = re.compile(r"^(T\S+)\t\S+ (\d{1,9})[^\t\n]*\t(.+)$", re.MULTILINE)
_RELATION = re.compile(r"^(?:R\S+|\*)\t(\S+) (.+)$", re.MULTILINE)
_JOINING = ("same-event", "same_event", "Equiv")


def standoff_rows(data: bytes, filename: str) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Tasks and answers, none of a file without `.ann`; the folder of a document names its annotator.

    A document of at most two headlines is a pair, answered by the type of a relation; else same-event joins.
    """
    documents = {PurePosixPath(name): decode(text).text for name, text in _documents(data, filename).items()}
    spans = [sorted(_HEADLINE.findall(text), key=lambda span: int(span[1])) for text in documents.values()]
    pairs = max(map(len, spans), default=0) <= 2
    rows = []
    for (path, text), places in zip(documents.items(), spans, strict=True):
        headlines = {name: clean_line(words) for name, _, words in places}
        ends = ((kind, re.split(r"[\s:]+", names)) for kind, names in _RELATION.findall(text))
        links = [(kind, [name for name in names if name in headlines]) for kind, names in ends]
        if pairs:
            kinds = [kind for kind, names in links if len({*names}) == 2] or [""]
            said = [(" | ".join(headlines.values()), {"answer": kind}) for kind in kinds if len(places) == 2]
        else:
            from igraph import Graph

            order = list(headlines)
            joined = (pair for kind, names in links if kind in _JOINING for pair in pairwise(names))
            graph = Graph(len(order), [(order.index(one), order.index(other)) for one, other in joined])
            groups = enumerate(graph.connected_components(), start=1)
            named = ((f"{path.stem} {at}", place) for at, group in groups for place in group)
            said = [(headlines[order[place]], {"group": name}) for name, place in named]
        who = path.parent.name or PurePosixPath(filename).name.partition(".")[0]
        rows += [({"item": item, "text": item, "annotator": who}, answer) for item, answer in said]
    return rows


def _documents(data: bytes, filename: str) -> dict[str, bytes]:
    data = gunzip(data) if data.startswith(GZIP) else data
    try:
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
                kept = [entry for entry in tar if entry.isfile() and _FILE.fullmatch(entry.name)]
            return {one.name: data[one.offset_data : one.offset_data + one.size] for one in kept}
        if not data.startswith(b"PK"):
            return {}
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = [entry for entry in packed.infolist() if _FILE.fullmatch(entry.filename)]
            check_unpacked(sum(entry.file_size for entry in entries))
            return {entry.filename: packed.read(entry) for entry in entries}
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        hint = "Pack the folder again as zip or tar.gz, without a password."
        raise InputError(f"{filename[:80]} cannot be unpacked.", hint=hint) from None
