"""Every command line that stands in a document can be typed: its verbs, options and methods exist."""

import re
import shlex

import click
import pytest

from cli.main import headline_lab
from core.data.articles.articles import article_sources
from core.data.pair_sets.pair_set import pair_sources
from core.errors import UnknownNameError
from core.groups.grouper import groupers
from core.headlines.generator import headline_generators
from core.headlines.metrics import headline_metrics
from core.maps.projector import projectors
from core.models.encoders.encoder import encoders
from core.numerals.question import source_aligners
from core.pairs.scorer import pair_scorers
from research.runs.trainer import trainers
from tests.docs.pages import PAGES, ROOT, name

FENCED = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(headline-lab [^`\n]+)`")
OPERATORS = {"|", "||", "&&", ";", ">", ">>", "<", "&", "\n"}
TAUGHT = {
    *("shared_words", "shared_words|shortest:3", "close_links", "close_links|share:0.8"),
    *("shortest_sentence", "shortest_sentence|looked_at:2", "questions", "discriminant.v1|shrinkage:0.7"),
}
"""The guides docs/add_a_….md have the reader write these."""
METHODS = {
    ("train pair", "--trainer"): (trainers,),
    ("train headlines", "--trainer"): (trainers,),
    ("train pair", "DATA"): (pair_sources,),
    ("train headlines", "DATA"): (article_sources,),
    ("", "--scorer"): (pair_scorers,),
    ("", "--encoder"): (encoders,),
    ("", "--method"): (groupers,),
    ("", "--map"): (projectors,),
    ("", "--system"): (headline_generators,),
    ("", "--metrics"): (headline_metrics,),
    ("", "--aligner"): (source_aligners,),
}


def commands(text):
    """Words of every command line of a page, and whether it is meant to be typed as it stands."""
    fenced = "\n".join(block.replace("\\\n", " ") for block in FENCED.findall(text))
    typed = [(line, True) for line in fenced.splitlines() if "headline-lab " in line]
    named = [(line.replace(r"\|", "|"), False) for line in INLINE.findall(FENCED.sub("", text))]
    return [(words_of(line), whole) for line, whole in (*typed, *named)]


def words_of(line):
    """What stands after `headline-lab`, up to the end of that command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words = list(lexer)
    words = words[words.index("headline-lab") + 1 :] if "headline-lab" in words else []
    ends = [place for place, word in enumerate(words) if word in OPERATORS]
    return words[: ends[0]] if ends else words


def called(words):
    """The verbs, the command that they name, and what it is given."""
    found: click.Command = headline_lab
    place = 0
    while isinstance(found, click.Group) and place < len(words) and not words[place].startswith("-"):
        below = found.get_command(click.Context(found), words[place])
        assert below is not None, f"there is no command {' '.join(words[: place + 1])!r}"
        found, place = below, place + 1
    return " ".join(words[:place]), found, words[place:]


LINES = [
    (page, words, whole) for page in PAGES for words, whole in commands(page.read_text("utf-8")) if words
]


@pytest.mark.parametrize("page", sorted({page for page, _, _ in LINES}), ids=name)
def test_every_command_line_can_be_typed(page):
    for words, whole in ((words, whole) for at, words, whole in LINES if at == page):
        verbs, command, given = called(words)
        if {"--help", "--version"} & set(given) or not (whole or given):
            continue
        try:
            context = command.make_context(verbs, list(given))
        except click.UsageError as error:
            pytest.fail(f"headline-lab {' '.join(words)}: {error.format_message()}")
        for option in command.get_params(context):
            label = option.opts[0] if isinstance(option, click.Option) else str(option.metavar)
            given_here = context.params.get(option.name or "")
            values = given_here if isinstance(given_here, tuple) else (given_here,)
            registries = METHODS.get((verbs, label.rstrip("]. ").lstrip("["))) or METHODS.get(("", label))
            for value in values if registries else ():
                parses(value, registries or ())


def test_the_readme_names_files_that_ship():
    lines = [words for page, words, whole in LINES if page == ROOT / "README.md" and whole]
    assert len(lines) > 6
    for words in lines:
        verbs, command, given = called(words)
        context = command.make_context(verbs, list(given))
        for option in command.get_params(context):
            value = context.params.get(option.name or "")
            if isinstance(option, click.Argument) or option.name == "articles":
                for one in value if isinstance(value, tuple) else (value,):
                    ships(str(one))


def ships(source):
    """Fails unless a name is a sample, a registered set or a file of the project."""
    if source.startswith("sample:"):
        assert source.removeprefix("sample:") in {path.name for path in (ROOT / "samples").iterdir()}
    elif source not in ("", "-", *(name.partition(".")[0] for name in pair_sources.names())):
        assert (ROOT / source).is_file(), source


def parses(value, registries):
    """Fails for a method that is named with a version or parameters and cannot be read."""
    text = str(value)
    if value is None or text in TAUGHT or not re.fullmatch(r"[a-z0-9_]+(\.v\d+)?(\|.*)?", text):
        return  # a file, a place to fill in, or a row of a table
    for registry in registries:
        try:
            registry.parse(text)
        except UnknownNameError:
            if "|" in text or ".v" in text:
                raise
