from collections import Counter

from core.archive.folder import HEADLINES
from core.archive.kept import SHIPPED
from core.archive.named import OTHERS, PERSONS, PLACES, most_named
from core.archive.opened import open_archive
from core.archive.query import ArchiveQuery
from core.data.timelines.timeline import Field
from tests.archives import made


def test_places_are_counted_in_what_was_found_alone(tmp_path):
    table = made(tmp_path / "storms", 900)
    archive = open_archive(tmp_path / "storms")
    found = most_named(archive, archive.ask(ArchiveQuery(outlet="Wire & Sons")))
    texts = table.loc[table["publisher"] == "Wire & Sons", "headline"]
    counted = Counter(text.rpartition(" of ")[2].partition(",")[0] for text in texts)
    assert {name: counted[name] for name, _ in found[PLACES]} == dict(found[PLACES])
    assert {"Genoa", "Kiel", "Bergen"} <= {*dict(found[PLACES])}
    nowhere = most_named(archive, archive.ask(ArchiveQuery(words="nowhere")))
    assert nowhere == {PLACES: [], PERSONS: [], OTHERS: []}


def test_places_persons_and_other_names_of_a_sample_are_told_apart_and_are_in_their_headlines():
    archive = open_archive(SHIPPED)
    everything = most_named(archive, archive.ask(ArchiveQuery()))
    assert {"Lena Dunham", "Edward Snowden", "Miley Cyrus"} <= {*dict(everything[PERSONS])}
    assert {"Titanfall", "GM", "SXSW"} <= {*dict(everything[OTHERS])}
    assert {"Colorado", "China"} <= {*dict(everything[PLACES])}
    found = most_named(archive, archive.ask(ArchiveQuery(words="ukraine")))
    assert {"Russia", "US"} <= {*dict(found[PLACES])}
    assert {"Europe", "White House"} <= {*dict(found[OTHERS])}
    for name, count in (*found[PLACES], *found[OTHERS]):
        both = archive.ask(ArchiveQuery(words=f"ukraine {name}")).rows
        assert len(both) >= count >= 2
        assert archive.table(both)[Field.HEADLINE.value].str.contains("ukraine", case=False).all()


def test_a_name_is_not_counted_in_another_word_that_holds_it(tmp_path):
    table = made(tmp_path / "storms", 9)
    said = [
        "Iran closes a harbour",
        "Tirana hosts the talks",
        "Talks in Tirana end",
        "Ships leave Iran",
        "Rain",
    ]
    table.assign(headline=[*said, *said[:4]]).to_parquet(tmp_path / "storms" / HEADLINES, index=False)
    archive = open_archive(tmp_path / "storms")
    found = most_named(archive, archive.ask(ArchiveQuery()))
    assert {name: dict(found[PLACES])[name] for name in ("Iran", "Tirana")} == {"Iran": 4, "Tirana": 4}
    # A search finds parts of words; the names of what it found are still those that its headlines have.
    both = archive.ask(ArchiveQuery(words="iran"))
    assert archive.table(both.rows)[Field.HEADLINE.value].str.contains("iran", case=False).all()
    assert dict(most_named(archive, both)[PLACES]) == {"Iran": 4, "Tirana": 4}
