from collections import Counter
from datetime import UTC, datetime

import msgspec
import numpy as np
import pytest

from core import files
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.groups.quality import quality
from core.journal.erasure import secret_of
from core.journal.spellings import ErasureTarget
from core.live import log as logs
from core.live.arrivals import Arrival, timeline_of
from core.live.changes import ChangeKind, StreamChange, StreamRecord
from core.live.digest import StreamReader
from core.live.follow import Following, follow, problem_of
from core.live.forgetting import clean_streams, headlines_in_streams
from core.live.group_sums import GroupSums, joining_line
from core.live.kept import kept_streams, name_for, stream_file
from core.live.log import StreamHeader, StreamLog
from core.live.regrouping import compare, regrouped
from core.live.sources import source_of
from core.live.stream import Stream
from core.live.window import Window
from core.pairs.context import PairContext
from core.pairs.scorers.event_similarity import EventSimilarity
from core.runtime import Runtime
from core.similarities import Similarities


def same_groups(one, other):
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


@pytest.fixture(scope="module")
def replayed(iss):
    stream = Stream(Runtime())
    return stream, list(stream.add(iss))


@pytest.mark.slow
def test_a_replay_ends_within_one_point_of_the_timeline_and_a_regrouping_equals_it(iss, replayed):
    gold = [one.gold_group for one in iss]
    whole = regroup(prepare(timeline_of(iss, "iss"), Settings(), Runtime())).ids
    stream = Stream(Runtime(), replayed[1])
    alone = np.array([stream.book.group_of[one.key] for one in iss])
    f1 = [quality(ids, gold)["pair_f1"].value or 0.0 for ids in (whole, alone)]
    assert abs(f1[0] - f1[1]) <= 0.01
    stream.regroup()
    assert same_groups([stream.book.group_of[one.key] for one in iss], whole.tolist())
    assert not stream.is_behind


EVENTS = {
    "dam": (
        "Dam bursts above Velden, two villages evacuated",
        "Velden dam collapse: villages emptied overnight",
        "Two villages evacuated as dam bursts above Velden",
        "Прорыв плотины над Фельденом: эвакуированы две деревни",
    ),
    "strike": (
        "Bakers begin three-day strike over flour prices",
        "Bread shortage looms as bakers strike over flour prices",
        "Bakers walk out for three days as flour prices soar",
        "Пекари начали трёхдневную забастовку из-за цен на муку",
    ),
    "painting": (
        "Stolen Vermeer found in attic in Ghent",
        "Missing Vermeer turns up in Ghent attic",
        "Police find stolen Vermeer in an attic in Ghent",
        "Похищенная картина Вермеера найдена на чердаке в Генте",
    ),
    "chess": (
        "Teenager Orlova wins world chess title",
        "Orlova, 17, becomes youngest world chess champion",
        "World chess title goes to teenager Orlova",
        "La joven Orlova gana el título mundial de ajedrez",
    ),
    "storm": (
        "Storm closes Hamburg airport",
        "Flights cancelled as storm shuts Hamburg airport",
        "Hamburg airport shut by storm",
        "Una tormenta cierra el aeropuerto de Hamburgo",
    ),
    "bank": (
        "Central bank leaves rates unchanged",
        "Rates stay on hold as central bank waits for inflation data",
        "No change in rates, says central bank",
        "El banco central mantiene los tipos de interés",
    ),
}


@pytest.mark.slow
def test_a_look_joins_no_two_events_because_both_are_told_in_another_language():
    came = [
        Arrival(key=f"{event}-{row}", text=told_by[row], published=datetime(2026, 11, 20, row, tzinfo=UTC))
        for row in range(4)
        for event, told_by in EVENTS.items()
    ]
    stream = Stream(Runtime())
    list(stream.add(came))
    stream.regroup()
    groups = {frozenset(keys) for keys in stream.book.members.values()}
    assert all(len({key.partition("-")[0] for key in keys}) == 1 for keys in groups)
    assert len(groups) < len(came)


def test_headlines_join_from_the_line_that_keeps_most_where_they_are():
    alike = np.array([[1, 0.8, 0.3, 0.2], [0.8, 1, 0.4, 0.1], [0.3, 0.4, 1, 0.5], [0.2, 0.1, 0.5, 1]])
    similarities = Similarities(alike.astype(np.float32))
    assert joining_line(similarities, np.array([1, 1, 2, 3])) == pytest.approx(0.8)
    assert joining_line(similarities, np.array([1, 1, 2, 2])) == pytest.approx(0.5)
    assert joining_line(similarities, np.array([1, 2, 3, 4])) == 1.0


def told(records):
    """Records without the time at which they were made."""
    return [{**record.body(), "time": ""} for record in records]


@pytest.mark.slow
def test_a_stream_resumes_anywhere_as_if_it_had_never_stopped(iss, replayed):
    stream, records = replayed
    written = [msgspec.convert(record.body(), StreamRecord) for record in records]
    for stored in (1, 25, 46):
        resumed = Stream(Runtime(), written[:stored])
        assert told([*written[:stored], *resumed.add(iss)]) == told(written)
        assert resumed.book.group_of == stream.book.group_of
    assert list(stream.book.headlines.values()) == iss


@pytest.mark.slow
def test_only_the_window_is_compared_and_older_headlines_stay_where_they_are(iss, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_STREAM_WINDOW", "10")
    stream = Stream(Runtime())
    list(stream.add(iss))
    assert len(stream.book.group_of) == len(iss)
    recent = regroup(prepare(timeline_of(iss[-10:], "window"), Settings(), Runtime())).ids
    stream.regroup()
    assert same_groups([stream.book.group_of[one.key] for one in iss[-10:]], recent.tolist())


def test_a_headline_that_comes_again_resembles_the_others_as_it_did_at_first(iss):
    _, context, similarities = compare(iss, Runtime())
    again = Window(context, EventSimilarity(), Runtime()).push(iss[3].text, context.vectors[3], iss[3].day)
    first = np.asarray(similarities.matrix[3])
    between = (first > 0) & (first < 1) & (again < 1)
    assert between.sum() > 5
    shares = again[between] / first[between]  # all are less by the same, as it is its own nearest neighbour
    np.testing.assert_allclose(shares, shares.mean(), rtol=1e-4)
    assert 0.7 < shares.mean() < 1


def test_sums_between_groups_are_those_of_their_headlines():
    random = np.random.default_rng(0)
    values = random.uniform(0.1, 0.9, (90, 90)).astype(np.float32)
    values = (values + values.T) / 2
    groups = np.repeat([3, 5, 8], [4, 3, 3])
    sums = GroupSums(Similarities(values[:10, :10]), groups)

    def mean(one, other):
        return values[np.ix_(groups == one, groups == other)].mean()

    for row in range(10, 90):
        new, means = sums.means(values[row, :row])
        expected = [values[row, :row][groups == sums.number(slot)].mean() for slot in range(len(means))]
        np.testing.assert_allclose(means, expected, rtol=1e-4)
        groups = np.append(groups, row if row < 80 else 5)
        sums.add(groups[-1], new)
    for keep, drop in ((5, 3), (5, 12), (40, 41)):
        sums.merge(keep, drop)
        groups[groups == drop] = keep
        assert sums.size(keep) == (groups == keep).sum()
        best = max(set(groups.tolist()) - {keep}, key=lambda other: mean(keep, other))
        assert sums.nearest(keep) == (best, pytest.approx(mean(keep, best), rel=1e-4))
    for other in set(groups.tolist()) - {5}:
        sums.merge(5, other)
    assert sums.nearest(5) == (0, 0.0)


def test_a_regrouping_says_which_groups_merged_and_which_split(iss):
    alone = {one.key: number for number, one in enumerate(iss, 1)}
    _, level, _, merged = regrouped(iss, alone, highest=len(iss), runtime=Runtime())
    together = {change.source: change.group for change in merged}
    assert {change.kind for change in merged} == {ChangeKind.MERGED}
    assert len(merged) == len(together) == len(iss) - len(set(alone.values()) - set(together))
    assert {change.line for change in merged} == {round(1 - level, 4)}
    _, _, _, split = regrouped(iss, dict.fromkeys(alone, 1), highest=1, runtime=Runtime())
    assert {(change.kind, change.source) for change in split} == {(ChangeKind.SPLIT, 1)}
    left = len(iss) - sum(len(change.keys) for change in split)
    assert left == max(Counter(together.get(number, number) for number in alone.values()).values())
    assert all(0 <= change.alike < 1 - level for change in split)


def test_similarities_of_a_stream_fade_by_whole_days_and_not_by_hours(iss):
    noon = [msgspec.structs.replace(one, published=datetime(2024, 5, 6, 12, tzinfo=UTC)) for one in iss]
    (_, context, _), scorer = compare(noon, Runtime()), EventSimilarity()
    newest = context.vectors[-1]
    windows = [Window(context, scorer, Runtime()) for _ in range(4)]
    times = [noon[0].day + hours / 24 for hours in (0, 11, -12, 13)]
    found = [one.push("Rocket lifts off", newest, day) for one, day in zip(windows, times, strict=True)]
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])
    small = found[0] < 1  # what is cut to 1 fades later
    assert found[0][small].max() > 0.2
    np.testing.assert_allclose(found[3][small], found[0][small] * np.exp(-1 / scorer.tau_days), rtol=1e-5)


def test_across_languages_a_stream_compares_as_a_timeline_does():
    german = ["Zentralbank hebt die Zinsen wieder an", "Ein Sturm schließt den Flughafen von Hamburg"]
    english = ["Central bank raises rates again for savers", "Storm closes the airport of Hamburg overnight"]
    texts, scorer = [*german, *english] * 4, EventSimilarity()
    vectors = np.random.default_rng(0).normal(0.5, 1, (16, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    context = PairContext(texts, np.full(16, 19_000.0), vectors)
    first = scorer.prepare(context, Runtime()).block(slice(0, 1), slice(0, 16))[0]
    again = Window(context, scorer, Runtime()).push(texts[0], vectors[0], 19_000.0)
    between = (first > 0) & (again > 0) & (first < 1)
    assert {row % 4 >= 2 for row in np.flatnonzero(between)} == {True, False}  # of both languages
    shares = again[between] / first[between]
    np.testing.assert_allclose(shares, shares.mean(), rtol=1e-4)


HEADER = StreamHeader(source="/news/day.csv")


def record(number):
    key = f"{number:032x}"
    change = StreamChange(kind=ChangeKind.OPENED, group=number, keys=(key,), alike=0.1, line=0.3)
    when = datetime(2024, 5, 6, tzinfo=UTC)
    headline = Arrival(key=key, text=f"Überschrift {number}\u2028", published=when)
    return StreamRecord(number=number, time=datetime.now(UTC), headline=headline, changes=(change,))


def look(log, source):
    how = {"seconds": 1, "once": True, "told": lambda *_: None, "note": print}
    follow(StreamLog(log.path), Following(header=HEADER, source=source, **how), Runtime())


@pytest.fixture
def log(tmp_path):
    found = StreamLog(tmp_path / "day.jsonl")
    found.begin(HEADER)
    return found


@pytest.mark.parametrize("left", [1, 20, 80])
def test_a_line_that_a_kill_cut_off_is_nothing_and_spoils_nothing(log, left):
    log.append([record(1), record(2)])
    whole = log.path.read_bytes()
    start = whole.rstrip(b"\n").rfind(b"\n") + 1
    log.path.write_bytes(whole[: start + left])
    assert logs.header_of(log.path) == HEADER
    assert [one.number for one in StreamLog(log.path).new()] == [1]
    log.append([record(2)])
    assert [one.number for one in StreamLog(log.path).new()] == [1, 2]


def test_two_processes_do_not_follow_into_one_file(log, growing):
    source = source_of(str(growing))
    with files.only_one(log.looked) as alone:
        assert alone
        with pytest.raises(InputError, match="Another process"):
            look(log, source)
    look(log, source)


@pytest.mark.slow
def test_what_is_wrong_with_a_source_is_said_until_it_is_read_again(log, growing):
    source, good = source_of(str(growing)), growing.read_bytes()
    look(log, source)
    assert problem_of(log) is None
    growing.write_bytes(bytes(range(256)) * 4)
    look(log, source)
    said, since = problem_of(log)
    assert growing.name in said
    look(log, source)
    assert problem_of(log) == (said, since)
    growing.unlink()
    look(log, source)
    assert problem_of(log)[0] != said
    growing.write_bytes(good + b"One more headline of the day,2024-05-09,wire\n")
    look(log, source)
    assert problem_of(log) is None
    assert sum(one.headline is not None for one in StreamLog(log.path).new()) == 3


def test_streams_are_kept_by_name_and_a_source_has_one_name():
    name = name_for("https://example.org/News/feed.xml")
    assert name_for("https://example.org/News/feed.xml?page=1") != name
    assert name.startswith("example-org-news-feed-xml-")
    path = stream_file(name)
    StreamLog(path).begin(HEADER)
    assert path.read_bytes().startswith(b'{"stream":1,')  # which later versions have to read
    assert kept_streams() == [path]
    for wrong in ("", "../day", "Day", "a" * 61, ".hidden"):
        with pytest.raises(InputError, match="cannot be called"):
            stream_file(wrong)


def test_a_headline_is_forgotten_where_it_is_and_other_streams_stay_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    secret = secret_of(ErasureTarget.PUBLISHER, "The Bugle")
    assert kept_streams() == clean_streams(secret) == []
    for name, publisher in (("bugle", "The Bugle"), ("wire", "wire")):
        headline = msgspec.structs.replace(record(1).headline, publisher=publisher)
        records = [msgspec.structs.replace(record(1), headline=headline), record(2)]
        StreamLog(stream_file(name)).begin(HEADER)
        StreamLog(stream_file(name)).append(records)
    assert list(headlines_in_streams(secret)) == [record(1).headline.text]
    before = stream_file("wire").read_bytes()
    assert clean_streams(secret) == [{"stream": "bugle", "removed": 1}]
    assert stream_file("wire").read_bytes() == before
    left = list(StreamLog(stream_file("bugle")).new())
    assert [one.headline and one.headline.text for one in left] == [None, record(2).headline.text]


def test_a_merger_after_the_first_look_is_listed_by_the_earliest_headline_of_its_group(log):
    merged = StreamChange(kind=ChangeKind.MERGED, group=2, source=1, alike=0.4, line=0.3)
    looked = StreamRecord(number=3, time=datetime.now(UTC), ends_look=True, changes=())
    log.append([record(1), record(2), looked])
    reader = StreamReader(StreamLog(log.path))
    assert (reader.digest(0).log, reader.digest(0).groups) == ((), 2)
    log.append([StreamRecord(number=4, time=datetime.now(UTC), changes=(merged,))])
    found = reader.digest(3)
    assert [(one.title, one.change.source) for one in found.log] == [(record(1).headline.text, 1)]
    assert (found.groups, found.looked, found.changed_count, found.changed[0].size) == (1, 3, 1, 2)
    assert found.changed[0].title == record(1).headline.text
