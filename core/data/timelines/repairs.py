"""Cells as they were meant: codes of HTML, garbled letters and words for nothing."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from core.data.timelines.raw import RawTable, Texts
from core.data.timelines.timeline import Field, FieldColumns
from core.results.render import count_words
from core.text import markup, normalise

Repairs = Mapping[str, Sequence[int]]  # the row of each cell that was repaired, by the beginning of the note
_LINES = 2
_MOSTLY = 0.8  # of the cells have as many lines
_WORDS = frozenset({Field.HEADLINE, Field.PUBLISHER, Field.AUTHORS, Field.BODY})
"""Fields that hold writing; addresses and group labels stay as they are."""


def repaired_cells(table: RawTable, mapping: FieldColumns) -> tuple[dict[str, Texts], Repairs]:
    """The texts of each mapped column as they were meant, None for no value; what was repaired."""
    columns: dict[str, Texts] = {}
    references, letters, missing, tags = list[int](), list[int](), list[int](), list[int]()
    for field, names in mapping.items():
        for name in names:
            texts = table.column(name)
            for row, text in enumerate(texts):
                if not text:
                    continue
                if normalise.is_missing(text):
                    missing.append(row)
                    texts[row] = text if field is Field.HEADLINE else None
                elif field in _WORDS:
                    repair = markup.repaired(text)
                    texts[row] = markup.without_markup(repair.text) if "<" in repair.text else repair.text
                    tags += [row] * (texts[row] != repair.text)
                    references += [row] * repair.references
                    letters += [row] * repair.letters
            columns[name] = _shown_headlines(texts) if field is Field.HEADLINE and tags else texts
    return columns, {
        "HTML codes such as &mdash; were decoded in": references,
        "HTML tags such as <b> were taken out of": tags,
        "Garbled letters such as Ã© for é were repaired in": letters,
        "“n/a”, “-” or the like was taken for missing in": missing,
    }


def _shown_headlines(texts: Texts) -> Texts:
    """Of cells that show several lines of a page, the lines that differ most, without a label before all."""
    lines = [text.split("\n") for text in texts if text]
    count, cells = Counter(map(len, lines)).most_common(1)[0]
    if count < _LINES or cells < _MOSTLY * len(lines):
        return texts
    columns = list(zip(*(line for line in lines if len(line) == count), strict=True))
    chosen = max(range(count), key=lambda at: (len(set(columns[at])), sum(map(len, columns[at]))))
    said = [line[chosen] if len(line) == count else " ".join(line) for line in lines]
    labels = {text.partition(": ")[0] if ": " in text else "" for text in said}
    label = f"{min(labels)}: " if len(labels) == 1 and min(labels) else ""
    shown = iter(text.removeprefix(label) for text in said)
    return [next(shown) if text else text for text in texts]


def repair_notes(repairs: Repairs, left_out: Container[int]) -> tuple[str, ...]:
    counts = {what: sum(row not in left_out for row in rows) for what, rows in repairs.items()}
    return tuple(f"{what} {count_words(count, 'cell', 'cells')}." for what, count in counts.items() if count)
