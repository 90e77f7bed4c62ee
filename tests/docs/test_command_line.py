"""docs/command_line.md is the command: every verb and option, and no other."""

import re

import click
import pytest

from cli.main import VERBS, headline_lab
from core.files import ROOT
from core.runtime import Runtime

PAGE = (ROOT / "docs/command_line.md").read_text(encoding="utf-8")
ROW = re.compile(r"^- `(--[a-z-]+)`: .+$", re.MULTILINE)
COMMON = {"--help", "-h", "--quiet", "--json", "--csv", "--latex", "--columns", "--seed"}
"""Described once, above the verbs."""


def sections():
    """Text of each command's section by the command's name; "" is the command itself."""
    parts = re.split(r"^## headline-lab ?([\w-]*)$", PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def command(verb):
    if not verb:
        return headline_lab
    found = headline_lab.get_command(click.Context(headline_lab), verb)
    assert found is not None
    return found


def commands(verb):
    """The verb, and the verbs below it where it has some."""
    found = command(verb)
    return [found, *found.commands.values()] if verb and isinstance(found, click.Group) else [found]


def options(verb):
    given = [option for found in commands(verb) for option in found.get_params(click.Context(found))]
    return {
        name
        for option in given
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }


def test_every_verb_is_documented_and_no_other():
    assert set(sections()) == {"", *VERBS}


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_every_option_is_documented_and_no_other(verb):
    named = set(ROW.findall(sections()[verb]))
    assert named - COMMON == options(verb) - COMMON


def grouped(_):
    from core.data.timelines.samples import load_sample
    from core.events.grouping import Settings, prepare, regroup
    from core.events.grouping_summary import groups_as_object

    prepared = prepare(load_sample(), Settings(encoder="use_multilingual"), Runtime())
    return groups_as_object(prepared, regroup(prepared))


def archived(folder):
    from core.archive.build import ArchiveSettings, build

    file = ROOT / "samples/iss/iss_excerpt.csv"
    return build(file, folder / "a", ArchiveSettings(granularity=0.5), {}, Runtime())


@pytest.mark.parametrize(("verb", "told"), [("group", grouped), ("archive", archived)])
def test_every_key_of_a_json_object_is_documented(verb, told, tmp_path):
    table = sections()[verb].partition("| key | value |")[2]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert {key for cell in cells for key in re.findall(r"`(\w+)`", cell)} == set(told(tmp_path))


def test_every_key_of_a_consistency_study_is_documented():
    from headline_lab import contradictions

    (line,) = [line for line in sections()["consistency"].splitlines() if line.startswith("The JSON object")]
    told = contradictions(["Storm hits coast", "Storm batters coast"], scorer="levenshtein")
    assert set(re.findall(r"`(\w+)`", line)) == set(told)
