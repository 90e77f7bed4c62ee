"""`headline-lab vectors`: the vectors of headlines, for other programs."""

from pathlib import Path

from cli.options import command
from cli.progress import note, open_timeline, show, working
from core import files


@command()
def vectors(file: str, out: Path, encoder: str) -> None:
    """Write a vector for each headline that is read in FILE, in its order.

    OUT is .npy, float32 with a row a headline, or .parquet with the columns line, headline and vector.
    """
    from core.data.vector_files import kind_of, vector_bytes
    from core.events.export import check_target
    from core.models.encoders.cached import encode_cached, numbers_of_vectors
    from core.models.encoders.encoder import encoders
    from core.models.weights import weights_signature
    from core.pairs.timeline_context import encoder_of

    check_target(out, source=file)
    kind = kind_of(out)
    timeline = open_timeline(file)
    recipe = encoder_of(timeline.reading, encoder)
    with working() as runtime:
        made = encode_cached(timeline.texts, recipe, runtime)
        numbers = numbers_of_vectors(timeline.texts, recipe, runtime)
    signature = " · ".join([encoders.signature(recipe), *weights_signature(recipe), *numbers])
    lines = range(1, len(timeline) + 1) if timeline.lines is None else timeline.lines.tolist()
    columns = {"line": lines, "headline": timeline.texts}
    files.write(out, vector_bytes(made, kind, columns, about={"signature": signature}))
    told = {"headlines": len(made), "dimensions": recipe.dimensions, "signature": signature}
    show(told, lambda: f"{len(made):,} vectors of {recipe.dimensions:,} numbers\n{signature}")
    note(*timeline.report.notes)
