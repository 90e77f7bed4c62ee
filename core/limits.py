"""Every limit of the program: its name, default, unit and reason, in one place."""

import os
from dataclasses import dataclass, field

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Limit:
    name: str  # the name in lower case with underscores
    default: int  # the value when the environment says nothing (always positive)
    reason: str  # one line: what happens past it, and why it is there
    counted: str = field(default="", kw_only=True)  # what is counted, if not the last word of the name

    @property
    def unit(self) -> str:
        return self.counted or self.name.rpartition("_")[2]

    @property
    def variable(self) -> str:
        """The environment variable that overrides the default."""
        return f"HEADLINE_LAB_{self.name.upper()}"

    @property
    def value(self) -> int:
        raw = os.environ.get(self.variable)
        if raw is None:
            return self.default
        # Python itself refuses to read thousands of digits.
        if not raw.isascii() or not raw.isdigit() or len(raw) > 15 or int(raw) < 1:
            raise InputError(
                f"{self.variable} is {raw[:40]!r}, not a positive whole number of {self.unit}.",
                hint=f"Unset it to use the default of {self.default:,}.",
            )
        return int(raw)


FILE_MEGABYTES = Limit("file_megabytes", 200, "a larger file is refused before it is read")
UNPACKED_MEGABYTES = Limit(
    "unpacked_megabytes", 400, "a gz, xlsx or Parquet file that unpacks to more is refused"
)
READING_MEGABYTES = Limit(
    "reading_megabytes",
    3_000,
    "the app reads files in a process of its own, which is stopped when it takes more memory",
)
READING_SECONDS = Limit(
    "reading_seconds",
    60,
    "the app stops reading a file that takes more processor time, or four times as long on the clock",
)
FILE_ROWS = Limit("file_rows", 50_000, "a file with more rows is refused, never cut silently")
HEADLINE_CHARACTERS = Limit(
    "headline_characters",
    1_000,
    "a row with a longer headline is rejected with its line; a file of articles, outputs or cases with "
    "one is refused",
)
FIELD_CHARACTERS = Limit(
    "field_characters", 100_000, "a row with a longer body or other field is rejected with its line"
)
LINE_CHARACTERS = Limit("line_characters", 200_000_000, "an archive's file with a longer line is refused")
QUOTED_CHARACTERS = Limit(
    "quoted_characters",
    1_000_000,
    "past it the end of a cell in quotation marks is not looked for: its first line is rejected alone",
)
COLUMNS = Limit("columns", 200, "a wider table is refused: it is hardly a timeline")
PASTED_CHARACTERS = Limit("pasted_characters", 2_000_000, "longer pasted text is refused; save it as a file")
DENSE_HEADLINES = Limit(
    "dense_headlines",
    12_000,
    "above it similarities are sparse (only pairs worth linking) instead of a full matrix",
)
CANDIDATE_PAIRS = Limit(
    "candidate_pairs",
    20_000_000,
    "more pairs worth linking are refused, to bound memory (about 24 bytes a pair)",
)
CONSISTENCY_ROWS = Limit(
    "consistency_rows",
    10_000,
    "of flips, triangles and changes each, the table of the command `consistency` has the worst this many "
    "and the command says how many more there are",
)
REPORT_HEADLINES = Limit(
    "report_headlines", 5_000, "a report lists this many and says how many more there are"
)
COMPARED_OUTLETS = Limit(
    "compared_outlets", 100, "the grid of an event shows the first this many and counts the others"
)
EMBEDDING_CACHE_MEGABYTES = Limit(
    "embedding_cache_megabytes", 2_000, "the oldest cached embeddings are deleted"
)
RESULT_CACHE_MEGABYTES = Limit(
    "result_cache_megabytes",
    500,
    "of stored scores of pairs and of statistics of headlines, each: those unused for longest are deleted",
)
KEPT_MEGABYTES = Limit(
    "kept_megabytes",
    2_000,
    "of finished work and of opened files, each: the app drops what was used longest ago; a file that "
    "somebody has open stays, and one too many is refused",
)
KEPT_FILES = Limit(
    "kept_files", 30, "of a session, on each page that opens files: those used longest ago are closed"
)
MODEL_SECONDS = Limit(
    "model_seconds",
    600,
    "a model that nobody asked for leaves memory within a tenth more; it is loaded again when it is needed",
)
STEP_SECONDS = Limit(
    "step_seconds",
    600,
    "a longer step is stopped and says so; the commands `score`, `write`, `compare`, `judge`, `train` and "
    "`benchmark` wait as long as it takes",
)
CHECKPOINT_SECONDS = Limit(
    "checkpoint_seconds",
    60,
    "training writes a checkpoint this often: so much work is lost at most when it is killed",
)
TRAININGS_AT_ONCE = Limit(
    "trainings_at_once", 1, "Train starts no further training while so many run", counted="trainings"
)
KEPT_RUNS = Limit("kept_runs", 20, "Train starts no further training until one is deleted")
KEPT_PAIR_SETS = Limit(
    "kept_pair_sets", 50, "no further file of pairs is stored until one is removed", counted="pair sets"
)
SUITE_CASES = Limit("suite_cases", 10_000, "a larger suite is refused: every case is scored")
PAIRED_NUMERALS = Limit(
    "paired_numerals", 64, "an article's numerals past it are copied, but not calculated with"
)
JUDGED_FILES = Limit(
    "judged_files",
    200_000,
    "a judged system is shown no larger folder: each file is compared with those that hold references",
)
CORRECTIONS = Limit(
    "corrections",
    10_000,
    "of one timeline, each undo and redo counted: no further one is stored, and a larger log is not imported",
)
POOLED_JUDGES = Limit(
    "pooled_judges",
    3,
    "in a workshop Evaluate hides answers about a headline until so many names have given one; anyone who "
    "makes up names, or watches the sums change, can still work out single answers",
)
ENTRY_CHARACTERS = Limit("entry_characters", 10_000_000, "a longer answer, vote or correction is refused")
SUBJECT_MEGABYTES = Limit(
    "subject_megabytes",
    50,
    "a larger table of one's own is not stored with the answers about it: links to it open only until the "
    "server ends",
)
DATABASE_SECONDS = Limit(
    "database_seconds",
    30,
    "what waits longer for its turn to be stored is refused, and the page says that it is not saved",
)
HEADLINE_NUMERALS = Limit("headline_numerals", 16, "a headline's numerals past it are not checked")
ARTICLE_NUMERALS = Limit("article_numerals", 500, "an article's numerals past it are ignored")
CANDIDATE_HEADLINES = Limit("candidate_headlines", 100, "more candidate headlines of one article are refused")

ROOM_ITEMS = Limit("room_items", 60, "a task with more is not put to a room in one round")
ROOM_PEOPLE = Limit("room_people", 200, "a room takes nobody in past it, nor past a fifth by one code")
ROOM_ATTEMPTS = Limit(
    "room_attempts", 100, "of one person in a round to break the model; no further one is answered"
)
OPEN_ROOMS = Limit(
    "open_rooms",
    50,
    "no further room is opened until one is closed or nothing was done in one for twelve hours",
)
STREAM_WINDOW = Limit(
    "stream_window",
    5_000,
    "a new headline of a stream is compared with this many before it, and so many are regrouped together",
    counted="headlines",
)
STREAM_HEADLINES = Limit(
    "stream_headlines", 200_000, "a stream takes no further one: its file is read whole at each start"
)
STREAMS_AT_ONCE = Limit(
    "streams_at_once", 3, "Live starts no further one while so many are followed", counted="streams"
)
FETCH_MEGABYTES = Limit("fetch_megabytes", 20, "a larger answer of an address that is followed is ignored")
FETCH_SECONDS = Limit(
    "fetch_seconds", 20, "an address that has not answered in full by then is asked again later"
)
ARCHIVE_HEADLINES = Limit(
    "archive_headlines", 20_000_000, "an archive with more is refused: under a gigabyte a million"
)
ARCHIVE_WINDOW = Limit(
    "archive_window",
    100_000,
    "of one window of days of an archive all are compared; of more, each with those that are probably "
    "similar",
    counted="headlines",
)
ARCHIVE_PAIRS = Limit(
    "archive_pairs",
    1_000_000_000,
    "an archive with more similar pairs is refused, to bound the disk: 12 gigabytes",
)

ALL: tuple[Limit, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Limit))
