"""What a reader of a comparison's table must know, in sentences."""

from typing import Final

from core.data.timelines.raw import listing
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import ComparisonTable
from core.results.table import STARS, footnotes
from core.statistics.bootstrap import ENOUGH

SCALE_NOTE: Final = "Values from 0 to 1 are shown times 100."


def notes(comparison: Comparison, table: ComparisonTable) -> list[str]:
    """What a reader of the table must know, a sentence or two each."""
    sentences = [
        f"{table.articles:,} articles, language {comparison.language}. {SCALE_NOTE} "
        f"Brackets: 95 % intervals, {comparison.resamples:,} bootstrap resamples of "
        f"{comparison.resampled_units}, seed {comparison.seed}."
    ]
    if any(entry.p is not None for row in table.entries for entry in row):
        levels = ", ".join(f"{sign} below {level:g}" for level, sign in reversed(STARS))
        count = len(table.systems) - 1
        sentences.append(
            f"Marks: differs from {table.against} (corrected p {levels}; paired bootstrap, Holm over "
            f"{count:,} comparison{'s' * (count != 1)} in each metric)."
        )
    elif table.against:
        sentences.append(
            f"Nothing is tested against {table.against}: that takes at least {ENOUGH} "
            f"{comparison.resampled_units}."
        )
    unused = {output.source: output.unused for output in comparison.outputs if output.unused}
    sentences += [f"{source}: not used: {listing(columns)}." for source, columns in unused.items()]
    sentences += [
        f"{system}: {output.marked_note}"
        for system, output in zip(table.systems, comparison.outputs, strict=True)
        if output.marked_note
    ]
    sentences += footnotes(entry.warning for row in table.entries for entry in row)
    sentences += _misread(comparison)
    sentences += [
        f"{system}: {count:,} of {table.articles:,} headlines are empty."
        for system, count in zip(table.systems, table.empty, strict=True)
        if count
    ]
    return sentences + _missing(table)


def _misread(comparison: Comparison) -> list[str]:
    """Which columns say nothing of texts whose words their metrics cannot find."""
    references = [text for given in comparison.articles.references for text in given]
    texts = [*(line for output in comparison.outputs for line in output.headlines), *references]
    columns: dict[int, list[str]] = {}
    for measured in comparison.measured:
        if wrong := sum(measured.metric.misreads(text, comparison.language) for text in filter(None, texts)):
            columns.setdefault(wrong, []).extend(column.label for column in measured.metric.columns)
    return [
        f"{'; '.join(labels)}: these count words, and cannot find those of {wrong:,} of {len(texts):,} "
        "headlines (scripts without spaces, such as Chinese or Thai, or of another language): they say "
        "nothing of these. chrF and BERTScore count no words."
        for wrong, labels in columns.items()
    ]


def _missing(table: ComparisonTable) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for at in sorted(set(range(len(table.places))) - set(table.measured())):
        reasons.setdefault(table.entries[0][at].reason, []).append(table.places[at].column.label)
    return [f"Not measured: {'; '.join(labels)}. {reason}" for reason, labels in reasons.items()]
