"""What people take away: tables, report, bundle, the command that makes them again, and safe writing."""

from __future__ import annotations

import io
import json
import re
import shlex
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

from cli.group import group as command
from core.catalogue.catalogue import REGISTRIES, methods, summary_of
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError, UnknownNameError
from core.events.export import (
    FORMATS,
    check_format,
    check_target,
    report_bundle,
    report_content,
    table_bytes,
)
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.events.mapping import Drawing, check_map, draw_map
from core.events.suggestion import SELECTOR
from core.events.summary import LABELS, as_object, as_text
from core.headlines.selection.selector import headline_selectors
from core.runtime import Runtime


@pytest.fixture(scope="session")
def drawing(iss: Prepared) -> Drawing:
    return draw_map(iss, "pca", Runtime())


@pytest.mark.parametrize("kind", FORMATS)
def test_every_table_reads_back_with_its_groups(iss: Prepared, groups: Grouping, kind: str) -> None:
    again = load(table_bytes(iss, groups, kind), f"groups.{kind}")
    assert again.texts == iss.source.texts
    assert [int(value) for value in again.original["group"]] == groups.ids.tolist()


SELECTOR_SIGNATURE = headline_selectors.signature(headline_selectors.parse(SELECTOR))


def test_an_unknown_table_is_refused(iss: Prepared, groups: Grouping) -> None:
    with pytest.raises(UnknownNameError, match="docx"):
        table_bytes(iss, groups, "docx")


def test_report_content_counts_and_names_the_view(iss: Prepared, groups: Grouping, drawing: Drawing) -> None:
    content = report_content(iss, groups, drawing)
    facts = dict(content.facts)
    sizes = pd.Series(groups.ids).value_counts()
    assert facts["Headlines"] == "47"
    assert facts["Events"] == str((sizes > 1).sum())
    assert facts["Single reports"] == str((sizes == 1).sum())
    assert facts["Granularity"] == "0.74"
    assert {card.group for card in content.cards} == set(sizes[sizes > 1].index)
    assert all(set(groups.ids[list(card.rows)].tolist()) == {card.group} for card in content.cards)
    signature, suggested = content.signature.split(" · suggested:")
    assert signature == f"{groups.signature} · map:pca.v1"
    assert re.fullmatch(rf"{re.escape(SELECTOR_SIGNATURE)} \(weights:[0-9a-f]{{16}}\)", suggested)
    assert all(card.suggested in card.rows and card.reason.endswith(".") for card in content.cards)
    assert content.quality is not None
    assert [row[0] for row in content.quality.rows] == [label for label, _ in LABELS.values()]
    assert content.notes == ()


def test_notes_tell_of_dates_and_copies() -> None:
    timeline = load(b"headline,published\nStorm closes airport,2024-01-02\nStorm closes airport,\n", "a.csv")
    drawn = prepare(timeline, Settings(fold=True), Runtime())
    notes = report_content(drawn, regroup(drawn), draw_map(drawn, "pca", Runtime())).notes
    assert notes == ("1 duplicate of earlier headlines left out.",)
    whole = prepare(timeline, Settings(), Runtime())
    (note,) = report_content(whole, regroup(whole), draw_map(whole, "pca", Runtime())).notes
    assert "1 headlines have no date" in note


@pytest.mark.parametrize("granularity", [None, 0.61])
def test_the_command_in_the_report_says_the_whole_view(
    iss: Prepared, drawing: Drawing, granularity: float | None
) -> None:
    words = shlex.split(report_content(iss, regroup(iss, granularity), drawing).command)
    given = command.make_context("group", words[2:]).params
    assert words[:3] == ["headline-lab", "group", "FILE"]
    assert (given["encoder"], given["scorer"], given["method"]) == (iss.encoder, iss.scorer, iss.method)
    assert (given["map_method"], given["granularity"]) == ("pca.v1", granularity)
    assert not given["fold"]
    assert given["since"] is None


def test_the_command_in_the_report_asks_for_the_earlier_version_where_numbers_came_from_one(
    iss: Prepared, groups: Grouping, drawing: Drawing
) -> None:
    later = replace(iss, previous={})
    words = shlex.split(report_content(later, groups, drawing).command)
    assert command.make_context("group", words[2:]).params["since"] == "EARLIER.csv"


def test_the_command_in_the_report_names_columns_that_are_not_recognised() -> None:
    rows = b"headline,kicker,date\nRates up,Central bank raises rates,2024-01-02\nSport,Cup won,2024-01-03\n"
    wanted = {Field.HEADLINE: "kicker", Field.PUBLISHED: "date"}
    for mapping, expected in ((None, ()), (wanted, ("headline=kicker",))):
        prepared = prepare(load(rows, "odd.csv", mapping=mapping), Settings(), Runtime())
        content = report_content(prepared, regroup(prepared), draw_map(prepared, "pca", Runtime()))
        words = shlex.split(content.command)
        assert command.make_context("group", words[2:]).params["columns"] == expected


@pytest.mark.parametrize(
    ("filename", "format_", "timeline", "expected"),
    [
        ("a.csv", None, None, {"file_format": None, "timeline": "b"}),
        ("a.csv", "hlgd_timeline", "a", {"file_format": None, "timeline": "a"}),
        ("a.dat", "hlgd_timeline", "*", {"file_format": "hlgd_timeline", "timeline": "*"}),
        ("a.csv", "csv", None, {"file_format": "csv", "timeline": None}),
    ],
)
def test_the_command_in_the_report_reads_the_same_of_the_file(
    filename: str, format_: str | None, timeline: str | None, expected: dict[str, str | None]
) -> None:
    rows = [
        "timeline,headline,global_group,annotator_1",
        "a,Bank cuts rates,1,1",
        "b,Cup won,1,1",
        "b,Rain,2,2",
    ]
    data = "\n".join(rows).encode()
    prepared = prepare(load(data, filename, format=format_, timeline=timeline), Settings(), Runtime())
    content = report_content(prepared, regroup(prepared), draw_map(prepared, "pca", Runtime()))
    given = command.make_context("group", shlex.split(content.command)[2:]).params
    assert {name: given[name] for name in expected} == expected


def test_the_bundle_holds_the_table_and_true_checksums(
    iss: Prepared, groups: Grouping, drawing: Drawing
) -> None:
    data = report_bundle(iss, groups, drawing)
    assert data == report_bundle(iss, groups, drawing)
    with zipfile.ZipFile(io.BytesIO(data)) as bundle:
        assert bundle.read("tables/headlines.csv") == table_bytes(iss, groups, "csv")
        sums = json.loads(bundle.read("manifest.json"))["sha256"]
        assert {*sums, "manifest.json"} == set(bundle.namelist())
        assert all(sha256(bundle.read(name)).hexdigest() == digest for name, digest in sums.items())


def test_summary_as_object_and_as_text_agree(iss: Prepared, groups: Grouping) -> None:
    told = as_object(iss, groups)
    assert json.loads(json.dumps(told)) == told
    assert told["headlines"] == 47
    assert told["groups"] == len(set(groups.ids.tolist()))
    text = as_text(told)
    assert text.splitlines()[0] == "47 headlines in 11 groups (2 headlines stand alone)"
    assert text.splitlines()[-1] == groups.signature
    assert "AMI 0.872, pair F1 0.777" in text
    assert "against gold" not in as_text({**told, "quality": None})


def test_targets_that_cannot_be_written_are_refused_first(tmp_path: Path) -> None:
    check_target(None)
    check_target(tmp_path / "new.csv")
    for wrong in (tmp_path, tmp_path / "no/such/x.csv", Path("/dev/null")):
        with pytest.raises(DataSourceError):
            check_target(wrong)


@pytest.mark.parametrize(("name", "kind"), [("a.csv", "csv"), ("A.XLSX", "xlsx"), ("a.b.html", "html")])
def test_the_ending_picks_the_format(name: str, kind: str) -> None:
    assert check_format(Path(name)) == kind


@pytest.mark.parametrize("name", ["a", "a.", "csv", "a.docx", ".csv"])
def test_other_endings_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"\.csv"):
        check_format(Path(name))


def test_catalogue_lists_every_method_once_with_a_line_about_it() -> None:
    found = methods()
    assert len({(method.kind, method.name) for method in found}) == len(found)
    assert len(found) == sum(len(registry.names()) for registry in REGISTRIES)
    for method in found:
        assert method.signature.split("|")[0] == method.name
        assert method.summary
        assert "\n" not in method.summary


def test_summary_of_goes_by_the_docstring_where_there_is_no_summary() -> None:
    class Silent:
        """First line.

        More.
        """

    class Telling(Silent):
        summary = "Its own line"

    assert summary_of(Silent()) == "First line."
    assert summary_of(Telling()) == "Its own line"


def test_unknown_map_methods_are_refused() -> None:
    check_map("umap_direct|epochs:50")
    for wrong in ("nosuch", "umap_direct|epochs:1"):
        with pytest.raises((UnknownNameError, InputError)):
            check_map(wrong)
