"""Articles and the headlines of systems from files."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.data.articles import comparison_file, opening
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs, load_outputs
from core.data.timelines.tables import read_bytes
from core.errors import InputError


def read_files(files: Sequence[str], *, articles: str | Articles = "") -> tuple[Articles, list[Outputs]]:
    if articles:
        given = opening.load_articles(articles) if isinstance(articles, str) else articles
        return given, _distinct([(file, load_outputs(file, given)) for file in files])
    errors = []
    for file in files:
        try:
            read, outputs = comparison_file.parse_comparison(read_bytes(file), Path(file).name)
        except InputError as error:
            errors.append(error)
            continue
        given = read.articles
        return given, _distinct(
            [(other, outputs if other == file else load_outputs(other, given)) for other in files]
        )
    if len(errors) == 1:
        raise InputError(
            errors[0].message, hint=f"{errors[0].hint} Or name the articles (--articles NAME_OR_FILE)."
        )
    message = f"None of the {len(files)} files holds both articles and headlines."
    hint = "Name the articles that the headlines were written for (--articles NAME_OR_FILE)."
    raise InputError(message, hint=hint)


def _distinct(by_file: Sequence[tuple[str, list[Outputs]]]) -> list[Outputs]:
    taken = Counter(output.system for _, outputs in by_file for output in outputs)
    every = ((Path(file).name, output) for file, outputs in by_file for output in outputs)
    return [replace(of, system=f"{of.system} ({name})") if taken[of.system] > 1 else of for name, of in every]
