"""Labels in a file of WebAnno or INCEpTION, TSV 3: a line a token, its labels in further columns."""

import re
from pathlib import PurePath
from typing import Final

from core.data.exchange.table import ITEM, PERSON, TEXT, Given
from core.data.timelines.decode import decode
from core.text.normalise import clean_line

_FORMAT: Final = b"#FORMAT=WebAnno TSV 3"
_NUMBER: Final = re.compile(r"\[\d+\]$")  # of a label that goes over several tokens


def token_rows(data: bytes, filename: str) -> list[tuple[Given, Given]]:
    """A task a sentence, its answers the labels of each layer in it; none of another file."""
    if _FORMAT not in data[:100]:
        return []
    lines, layers, who = (
        decode(data).text.splitlines(),
        list[str](),
        PurePath(filename).name.partition(".")[0],
    )
    rows: list[tuple[Given, dict[str, set[str]]]] = []
    for line in lines:
        mark, _, said = line.partition("=")
        if mark in ("#T_SP", "#T_CH", "#T_RL"):
            layer, *features = said.split("|")
            layers += [f"{layer.rpartition('.')[2]} {name}" for name in features]
        elif mark == "#Text":
            text = clean_line(said)
            rows.append(({ITEM: text, TEXT: text, PERSON: who}, {layer: set() for layer in layers}))
        elif rows and line[:1].isdigit():
            for layer, cell in zip(layers, line.split("\t")[3:], strict=False):
                labels = {_NUMBER.sub("", label) for label in cell.split("|")}
                rows[-1][1][layer] |= labels - {"_", "*", ""}
    return [(task, {layer: ", ".join(sorted(said)) for layer, said in given.items()}) for task, given in rows]
