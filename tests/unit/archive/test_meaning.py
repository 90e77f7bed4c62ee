import json

import numpy as np
import pandas as pd
import pytest

from core.archive import meaning
from core.archive import vectors as vector_files
from core.archive.build import ArchiveSettings, build
from core.archive.folder import HEADLINES, MANIFEST, REMOVED
from core.archive.kept import SHIPPED
from core.archive.opened import _CLOSE, NEAREST, OF_GROUP, OpenArchive, open_archive
from core.archive.query import ArchiveQuery
from core.errors import CoreError
from core.files import ROOT
from core.pairs.scorers.static_embeddings import embed
from core.runtime import Runtime

ASKED = "joblessness"


def asked(archive, words=ASKED, **others):
    near = archive.nearness(words, Runtime())
    return archive.ask(ArchiveQuery(words=words, meaning=True, **others), near)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An archive of several parts of vectors."""
    place = tmp_path_factory.mktemp("meaning")
    table = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str).iloc[::12]
    table = table.rename(columns={"TITLE": "headline", "PUBLISHER": "publisher"})
    table["published"] = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    table[["headline", "published", "publisher"]].to_csv(place / "news.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        for module in (vector_files, meaning):
            patch.setattr(module, "PART", 150)
        patch.setattr(meaning, "_ROWS", 64)
        build(place / "news.csv", place / "a", ArchiveSettings(granularity=0.9), {}, Runtime())
        yield place / "a"


def test_the_nearest_come_first_with_their_groups_and_need_not_have_the_words():
    archive = open_archive(SHIPPED)
    answer = asked(archive)
    texts = archive.table(answer.listed)["headline"]
    assert "job" in texts.iloc[0].lower()
    assert not len(archive.ask(ArchiveQuery(words=ASKED)).rows)
    assert (len(answer.rows), sorted(answer.listed.tolist())) == (NEAREST, answer.rows.tolist())
    assert (np.diff(archive.nearness(ASKED, Runtime())[answer.listed]) <= 0).all()
    assert archive.events_of_rows[answer.listed[0]] == answer.groups[0]
    assert answer.counts.sum() == NEAREST


def test_a_large_group_is_not_all_that_is_near():
    archive = open_archive(SHIPPED)
    answer = asked(archive, archive.events["title"].iloc[0])
    assert archive.events["headlines"].iloc[0] > NEAREST
    assert answer.counts.max() == OF_GROUP
    assert len(answer.rows) == NEAREST


def test_vectors_are_read_in_blocks_and_only_their_meaning_counts(built):
    archive = OpenArchive(built)
    assert len(list((built / "vectors").iterdir())) > 2
    expected = embed(archive.texts["headline"].to_pylist()) @ embed([ASKED])[0]
    near = archive.nearness(ASKED, Runtime())
    assert np.allclose(near, expected, atol=2e-3)


@pytest.mark.parametrize(
    ("words", "far"),
    [
        ("asdf qwer zxcv", True),
        ("xqzv blorpt gnaff", True),
        ("lorem ipsum dolor sit amet", True),
        ("chocolate cake recipe with almonds", True),
        ("medieval monks copying manuscripts", True),
        ("knitting patterns for beginners", True),
        (ASKED, False),
        ("bitcoin", False),
        ("cryptocurrency exchange collapse", False),
        ("mobile phone maker unveils handset", False),
        ("ban of cigarettes", False),
    ],
)
def test_what_is_near_by_chance_alone_is_doubted(words, far, built):
    assert asked(open_archive(SHIPPED), words).far is far
    assert asked(OpenArchive(built), words).far >= far  # some of what was asked for is not in a twelfth
    assert not open_archive(SHIPPED).ask(ArchiveQuery(words=words)).far
    assert f"less than {_CLOSE:g} (cosine)" in (ROOT / "docs/archive.md").read_text(encoding="utf-8")


def test_other_filters_narrow_it_and_what_was_removed_is_not_found(built):
    archive = OpenArchive(built)
    first = archive.table(asked(archive).listed[:1]).iloc[0]
    of = asked(archive, outlet=first["publisher"])
    assert set(archive.table(of.rows)["publisher"]) == {first["publisher"]}
    whole = (built / HEADLINES).read_bytes()
    table = pd.read_parquet(built / HEADLINES)
    table.replace({"headline": {first["headline"]: REMOVED}}).to_parquet(built / HEADLINES, index=False)
    left = OpenArchive(built)
    assert REMOVED not in left.table(asked(left).listed)["headline"].tolist()
    (built / HEADLINES).write_bytes(whole)


def test_vectors_of_a_file_or_of_another_encoder_are_not_compared(built):
    part = built / "vectors" / "1.npy"
    held = np.load(part)
    np.save(part, held[:, 1:])
    with pytest.raises(CoreError, match="damaged"):
        OpenArchive(built).nearness(ASKED, Runtime())
    np.save(part, held)
    job = json.loads((built / MANIFEST).read_text())
    assert OpenArchive(built).has_meaning
    (built / MANIFEST).write_text(json.dumps(job | {"vectors": "0" * 16}))
    assert not OpenArchive(built).has_meaning
    (built / MANIFEST).write_text(json.dumps(job))
