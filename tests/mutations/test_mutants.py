"""Faults that would make a figure wrong without a sound, each with the test that must find it.

A line here whose old text is gone fails, too: then the guard moved, and this list has to follow it.
"""

from dataclasses import dataclass

import pytest

from benchmarks.mutations import Mutation, draw, measured, mutations
from tests.copies import ROOT, copied


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the text `old`, which occurs once in `file`, becomes `new`, and `test` must fail."""

    name: str
    file: str
    old: str
    new: str
    test: str


LEAKAGE = (
    Mutant(
        "headlines of one event are drawn apart",
        "core/data/pair_sets/pair_set.py",
        "units = (_with_neighbours(pairs, events(pairs)) if few else pairs.timelines).tolist()",
        "units = np.arange(len(pairs.texts)).tolist()",
        "tests/unit/data/pair_sets/test_own_and_splits.py::test_no_event_is_in_two_parts_and_no_pair_joins_two",
    ),
    Mutant(
        "pairs between train and test are kept",
        "core/data/pair_sets/pair_set.py",
        "pairs.with_pairs(parts[pairs.left] == parts[pairs.right])",
        "pairs",
        "tests/unit/data/pair_sets/test_own_and_splits.py::test_no_event_is_in_two_parts_and_no_pair_joins_two",
    ),
    Mutant(
        "thresholds are chosen on test pairs",
        "research/benchmark/pairs/evaluate.py",
        "own = [(part.value, part, [data.pairs.part(part)]) for part in parts]",
        "own = [(part.value, part, [data.test]) for part in parts]",
        "tests/unit/pairs/test_pair_benchmark_evaluate.py::test_test_labels_change_no_choice",
    ),
    Mutant(
        "a selector learns from the test files",
        "research/training/headlines/headline_selector.py",
        "rows = given.pairs(parts=[Part.TRAIN])",
        "rows = given.pairs(parts=[Part.TRAIN, Part.TEST])",
        "tests/unit/headlines/test_selection.py::test_the_test_files_change_no_weight",
    ),
    Mutant(
        "a judged system is given the references",
        "research/judging/judge.py",
        'json.dumps({"id": name, "text": text}, ensure_ascii=True)',
        'json.dumps({"id": name, "text": text, "references": articles.references}, ensure_ascii=True)',
        "tests/unit/research/judging/test_judge.py::test_references_are_never_given",
    ),
)

DIRECTIONS = (
    Mutant(
        "wins are counted at the worse end",
        "core/headlines/comparison/comparison.py",
        "ahead = (apart if higher else -apart)",
        "ahead = apart",
        "tests/unit/headlines/test_comparison.py::test_wins_are_counted_by_the_better_end_of_the_score",
    ),
    Mutant(
        "repeating words is better",
        "core/headlines/metrics/content.py",
        '"share of the headline\'s words that stood in it before", False',
        '"share of the headline\'s words that stood in it before", True',
        "tests/unit/headlines/test_scores_of_words.py::test_every_score_that_ships_has_its_better_end",
    ),
    Mutant(
        "the worst value is printed bold",
        "core/headlines/comparison/table.py",
        "max(values) if higher else min(values)",
        "min(values) if higher else max(values)",
        "tests/unit/headlines/test_comparison.py::test_the_best_of_a_score_stands_at_its_better_end",
    ),
)

CERTIFICATES = (
    Mutant(
        "the bound of a repair is one too high",
        "core/consistency/certificate.py",
        "max(bound, math.ceil(lowest - 1e-4))",
        "max(bound, math.ceil(lowest - 1e-4) + 1)",
        "tests/unit/consistency/test_consistency.py::test_a_star_keeps_one_link",
    ),
    Mutant(
        "every bound is called reached",
        "core/consistency/certificate.py",
        "known += _changes(linked, denied, parts)",
        "known += bound",
        "tests/unit/consistency/test_consistency.py::test_a_star_keeps_one_link",
    ),
    Mutant(
        "triangles are counted by half",
        "core/consistency/certificate.py",
        "three = _common(links, linked) // 3",
        "three = _common(links, linked) // 2",
        "tests/properties/test_consistency.py::test_census_of_all_pairs_is_the_triple_loop",
    ),
    Mutant(
        "broken triangles count closed ones",
        "core/consistency/certificate.py",
        "two = int((degrees * (degrees - 1) // 2).sum()) - 3 * three",
        "two = int((degrees * (degrees - 1) // 2).sum()) - 2 * three",
        "tests/properties/test_consistency.py::test_census_of_all_pairs_is_the_triple_loop",
    ),
    Mutant(
        "the search for the worst triangles stops as soon as it has enough",
        "core/consistency/score_matrix.py",
        "if len(severity) >= most and bound[start] <= severity[-1]:",
        "if len(severity) >= most:",
        "tests/properties/test_consistency.py::test_worst_triangles_of_many_headlines_are_the_worst_of_all",
    ),
    Mutant(
        "no number is wrong for want of a source",
        "core/numerals/claims/judge.py",
        "if is_absent(claim, judged.evidence) or is_other(claim, judged.evidence, rival):",
        "if False:",
        "tests/unit/numerals/test_checking.py::test_a_wrong_digit_is_wrong_and_names_its_rival",
    ),
)

INTERVALS = (
    Mutant(
        "pairs between groups count less than those inside",
        "core/pairs/metrics.py",
        "total += met * (units.count / (units.count - 1))",
        "total += met",
        "tests/unit/pairs/test_intervals.py::test_one_answer_to_every_pair_lies_in_its_interval",
    ),
    Mutant(
        "labels far out pull the time-only curve",
        "core/pairs/scorers/baselines.py",
        "softened=False",
        "softened=True",
        "tests/unit/pairs/test_wrappers.py"
        "::test_time_only_is_the_most_likely_curve_where_dates_lie_years_apart",
    ),
    Mutant(
        "a fingerprint is silent on metrics that could not run",
        "core/headlines/comparison/compare.py",
        "{metric.library} {metric.why_not}",
        "{metric.library}",
        "tests/unit/headlines/test_comparison.py::test_a_fingerprint_says_which_metrics_could_not_run",
    ),
    Mutant(
        "the interval is one rank too narrow",
        "core/statistics/bootstrap.py",
        "rank = -(-(len(defined) + 1) // _PARTS) - 1",
        "rank = -(-(len(defined) + 1) // _PARTS)",
        "tests/unit/statistics/test_statistics.py::test_too_few_or_undefined_resamples_have_no_interval",
    ),
    Mutant(
        "the ends of the interval are swapped",
        "core/statistics/bootstrap.py",
        "return float(ends[rank - 1]), float(ends[len(defined) - rank])",
        "return float(ends[len(defined) - rank]), float(ends[rank - 1])",
        "tests/unit/statistics/test_statistics.py::test_too_few_or_undefined_resamples_have_no_interval",
    ),
    Mutant(
        "p is one-sided",
        "core/statistics/bootstrap.py",
        "min(1.0, 2 * (far + 1) / (len(defined) + 1))",
        "min(1.0, (far + 1) / (len(defined) + 1))",
        "tests/unit/statistics/test_statistics.py"
        "::test_half_a_percent_of_resamples_beyond_zero_and_an_interval_above_it",
    ),
    Mutant(
        "Holm multiplies by nothing",
        "core/statistics/bootstrap.py",
        "(len(given) - np.arange(len(given))) * given[order]",
        "given[order]",
        "tests/unit/statistics/test_statistics.py::test_holm_rejects_what_the_step_down_procedure_rejects",
    ),
    Mutant(
        "pairs are resampled instead of gold groups",
        "core/pairs/metrics.py",
        'return _numbered("groups", groups[left], groups[right])',
        'return _numbered("groups", np.arange(len(left)), np.arange(len(left)))',
        "tests/unit/pairs/test_intervals.py::test_intervals_cover_what_they_say_and_those_over_pairs_do_not",
    ),
    Mutant(
        "articles of one event are drawn apart",
        "core/headlines/comparison/compare.py",
        "units = units_of(articles.clusters)",
        'units = units_of([""] * len(articles))',
        "tests/unit/headlines/test_comparison.py::test_an_event_is_drawn_as_one",
    ),
    Mutant(
        "an interval over two articles has no warning",
        "core/statistics/bootstrap.py",
        "if count < ENOUGH:",
        "if count < FEWEST:",
        "tests/unit/statistics/test_statistics.py::test_few_units_are_told_and_one_has_no_interval",
    ),
)

STREAMS = (
    Mutant(
        "a stream fades by parts of a day",
        "core/live/stream.py",
        "gap = np.floor(self._days[:size]) - np.floor(day)",
        "gap = self._days[:size] - day",
        "tests/unit/live/test_stream.py::test_similarities_of_a_stream_fade_by_whole_days_and_not_by_hours",
    ),
)

COMMANDS = (
    Mutant(
        "the report's command forgets the earlier version",
        "core/events/export.py",
        'words += ["--since", "EARLIER.csv"] if prepared.previous is not None else []',
        "words += []",
        "tests/unit/events/test_export.py::test_the_command_in_the_report_says_the_whole_view",
    ),
)

PEOPLE = (
    Mutant(
        "what was forgotten stays in the database's log",
        "core/journal/forget.py",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "SELECT 0, 0, 0",
        "tests/unit/journal/test_backup.py::test_no_file_of_the_database_holds_what_was_forgotten",
    ),
)

ROOMS = (
    Mutant(
        "an answer to the first vote counts in the second",
        "core/people/room/state.py",
        'if not room.round.vote or body["began"] != room.round.began:',
        "if not room.round.vote:",
        "tests/unit/people/room/test_room_rights.py"
        "::test_an_answer_to_a_vote_that_is_over_is_refused_when_it_is_played_again",
    ),
    Mutant(
        "an answer counts while nobody votes",
        "core/people/room/state.py",
        'if not room.round.vote or body["began"] != room.round.began:',
        'if body["began"] != room.round.began:',
        "tests/unit/people/room/test_room_rights.py"
        "::test_an_answer_to_a_vote_that_is_over_is_refused_when_it_is_played_again",
    ),
    Mutant(
        "an entry that is not allowed counts once it is stored",
        "core/people/room/state.py",
        "        return RoomRefusal.PAUSED\n",
        "        pass\n",
        "tests/unit/people/room/test_room_state.py::test_an_answer_that_came_after_the_pause_counts_nowhere",
    ),
    Mutant(
        "who joins again takes the place of another",
        "core/people/room/state.py",
        "taken = not key or entry.who in room.people or entry.who == TEACHER",
        "taken = not key",
        "tests/unit/people/room/test_room_state.py"
        "::test_somebody_who_joins_under_the_id_of_another_changes_nothing",
    ),
    Mutant(
        "a code lets people in without end",
        "core/people/room/state.py",
        " or room.doors[door] >= room.seats",
        "",
        "tests/unit/people/room/test_room_rights.py::test_nobody_fills_a_room_with_browsers_that_are_made_up",
    ),
    Mutant(
        "a ticket is taken whoever signed it",
        "core/digests.py",
        'return text if hmac.compare_digest(mark.encode(errors="replace"), own.encode()) else ""',
        "return text",
        "tests/unit/people/room/test_room_rights.py::test_a_ticket_is_signed_for_its_room_and_ends",
    ),
    Mutant(
        "a room remembers what was removed for good",
        "core/journal/entries.py",
        " or entries[len(seen) - 1] is not seen[-1]",
        "",
        "tests/unit/people/room/test_room_state.py"
        "::test_a_room_of_which_an_entry_went_while_another_came_is_read_anew",
    ),
)

STORAGE = tuple(
    Mutant(name, file, old, new, "tests/simulation/test_schedules.py::test_no_schedule_breaks_a_promise")
    for name, file, old, new in (
        (
            "answers are not on the disk when they are acknowledged",
            "core/journal/database.py",
            '"synchronous=FULL"',
            '"synchronous=OFF"',
        ),
        (
            "the newest answers are lost without a word",
            "core/journal/database.py",
            "gone or removed > removals",
            "False",
        ),
        (
            "another server's removal is not seen",
            "core/journal/journal.py",
            "known if removals == before else ()",
            "known",
        ),
        (
            "a file gets its name before its bytes are on the disk",
            "core/files.py",
            "            if durable:\n                _sync(partial",
            "            if not durable:\n                _sync(partial",
        ),
        (
            "a file's name is not on the disk",
            "core/files.py",
            "        if durable:\n            _sync_names(path.parent)\n\n\ndef jot",
            "        if not durable:\n            _sync_names(path.parent)\n\n\ndef jot",
        ),
        (
            "a folder's name is not on the disk",
            "core/files.py",
            "            _sync_names(folder.parent)\n            _SYNCED",
            "            _SYNCED",
        ),
        (
            "a line is acknowledged before it is on the disk",
            "core/files.py",
            "            if durable:\n                SYSTEM.fsync(file)",
            "            if not durable:\n                SYSTEM.fsync(file)",
        ),
        (
            "half a line spoils the next",
            "core/files.py",
            "if size and not _ends_a_line(file):",
            "if False:",
        ),
    )
)

MUTANTS = (*LEAKAGE, *DIRECTIONS, *CERTIFICATES, *INTERVALS, *STREAMS, *COMMANDS, *PEOPLE, *ROOMS, *STORAGE)


FAILED = 1
"""What pytest ends with where tests ran and some failed; an import that breaks ends otherwise."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    # Every fault of what is stored is found by an early schedule; the suite itself plays the others.
    alone = {"PYTHONDONTWRITEBYTECODE": "1", "HEADLINE_LAB_SCHEDULES": "300"}
    with copied(tmp_path_factory.mktemp("mutants"), **alone) as made:
        yield made


def test_the_text_that_a_fault_replaces_is_there_once():
    for mutant in MUTANTS:
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant.name
        file, _, test = mutant.test.partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), mutant.name


def test_without_a_fault_the_tests_pass(copy):
    code, output = copy.test("-x", *dict.fromkeys(one.test for one in MUTANTS))
    assert code == 0, output


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_the_fault_is_found(copy, mutant):
    text = (copy.tree / mutant.file).read_text(encoding="utf-8").replace(mutant.old, mutant.new)
    code, output = copy.with_fault(mutant.file, text, "-x", mutant.test)
    assert code == FAILED, f"{mutant.test} does not find that {mutant.name}:\n{output[-4000:]}"


SMALL = b'''def area(width: int = 3) -> int:
    """Of 2 squares."""
    if width < 0:
        raise ValueError(f"{width - 1}")
    return max(width, 1) * 2
'''


def test_small_faults_are_made_of_code_and_not_of_words_types_and_options():
    assert [(SMALL[one.start : one.end].decode(), one.text) for one in mutations("area.py", SMALL)] == [
        ("width < 0", "((width) <= (0))"),
        ("width < 0", "((width) >= (0))"),
        ("width < 0", "(not (width < 0))"),
        ("0", "(-1)"),
        ("0", "(1)"),
        ('raise ValueError(f"{width - 1}")', "pass"),
        ("max", "min"),
        ("max(width, 1) * 2", "((max(width, 1)) / (2))"),
        ("max(width, 1) * 2", "None"),
        ("1", "(0)"),
        ("1", "(2)"),
        ("2", "(1)"),
        ("2", "(3)"),
    ]
    assert draw("statistics", 1, 5) == draw("statistics", 1, 9)[:5] != draw("statistics", 2, 5)


def test_a_small_fault_is_found_and_what_changes_nothing_or_is_not_reached_survives(copy):
    file = "core/statistics/bootstrap.py"
    source = (ROOT / file).read_bytes()
    places = {source[one.start : one.end].decode(): one for one in mutations(file, source)}
    faults = [places["len(given) - np.arange(len(given))"], places["neither - same_item"]]
    nothing = Mutation(file, "nothing", 0, 0, "", faults[0].lines)
    test = "tests/unit/statistics/test_statistics.py::test_holm_rejects_what_the_step_down_procedure_rejects"
    row, survivors = measured(copy, "statistics", [*faults, nothing], [test])
    assert (row["killed"], row["survived"], row["not_reached"]) == (1, 2, 1)
    assert [text.splitlines()[-1] for text in survivors] == [
        "arithmetic; 0 tests reach it",
        "nothing; 1 tests reach it",
    ]
