"""Every limit of the program by its name, with its default from limits.toml."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Limit:
    name: str  # the name in lower case with underscores
    default: int  # the value when the environment says nothing (always positive)
    unit: str  # what is counted
    reason: str  # one line: what happens past it, and why it is there

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
            message = f"{self.variable} is {raw[:40]!r}, not a positive whole number of {self.unit}."
            raise InputError(message, hint=f"Unset it to use the default of {self.default:,}.")
        return int(raw)


_LIMITS = {
    name: Limit(name, **about)
    for name, about in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
ALL = tuple(_LIMITS.values())

FILE_MEGABYTES = _LIMITS["file_megabytes"]
UNPACKED_MEGABYTES = _LIMITS["unpacked_megabytes"]
READING_MEGABYTES = _LIMITS["reading_megabytes"]
READING_SECONDS = _LIMITS["reading_seconds"]
FILE_ROWS = _LIMITS["file_rows"]
HEADLINE_CHARACTERS = _LIMITS["headline_characters"]
FIELD_CHARACTERS = _LIMITS["field_characters"]
LINE_CHARACTERS = _LIMITS["line_characters"]
QUOTED_CHARACTERS = _LIMITS["quoted_characters"]
COLUMNS = _LIMITS["columns"]
PASTED_CHARACTERS = _LIMITS["pasted_characters"]
DENSE_HEADLINES = _LIMITS["dense_headlines"]
CANDIDATE_PAIRS = _LIMITS["candidate_pairs"]
CONSISTENCY_ROWS = _LIMITS["consistency_rows"]
REPORT_HEADLINES = _LIMITS["report_headlines"]
COMPARED_OUTLETS = _LIMITS["compared_outlets"]
EMBEDDING_CACHE_MEGABYTES = _LIMITS["embedding_cache_megabytes"]
RESULT_CACHE_MEGABYTES = _LIMITS["result_cache_megabytes"]
KEPT_MEGABYTES = _LIMITS["kept_megabytes"]
KEPT_FILES = _LIMITS["kept_files"]
MODEL_SECONDS = _LIMITS["model_seconds"]
STEP_SECONDS = _LIMITS["step_seconds"]
CHECKPOINT_SECONDS = _LIMITS["checkpoint_seconds"]
TRAININGS_AT_ONCE = _LIMITS["trainings_at_once"]
KEPT_RUNS = _LIMITS["kept_runs"]
KEPT_PAIR_SETS = _LIMITS["kept_pair_sets"]
SUITE_CASES = _LIMITS["suite_cases"]
PAIRED_NUMERALS = _LIMITS["paired_numerals"]
JUDGED_FILES = _LIMITS["judged_files"]
CORRECTIONS = _LIMITS["corrections"]
POOLED_JUDGES = _LIMITS["pooled_judges"]
ENTRY_CHARACTERS = _LIMITS["entry_characters"]
SUBJECT_MEGABYTES = _LIMITS["subject_megabytes"]
DATABASE_SECONDS = _LIMITS["database_seconds"]
HEADLINE_NUMERALS = _LIMITS["headline_numerals"]
ARTICLE_NUMERALS = _LIMITS["article_numerals"]
CANDIDATE_HEADLINES = _LIMITS["candidate_headlines"]
ROOM_ITEMS = _LIMITS["room_items"]
ROOM_PEOPLE = _LIMITS["room_people"]
ROOM_ATTEMPTS = _LIMITS["room_attempts"]
STUDY_VERSIONS = _LIMITS["study_versions"]
STUDY_COMMENTS = _LIMITS["study_comments"]
OPEN_ROOMS = _LIMITS["open_rooms"]
STREAM_WINDOW = _LIMITS["stream_window"]
STREAM_HEADLINES = _LIMITS["stream_headlines"]
STREAMS_AT_ONCE = _LIMITS["streams_at_once"]
FETCH_MEGABYTES = _LIMITS["fetch_megabytes"]
FETCH_SECONDS = _LIMITS["fetch_seconds"]
ENDPOINT_TOKENS = _LIMITS["endpoint_tokens"]
ENDPOINT_REQUESTS = _LIMITS["endpoint_requests"]
ENDPOINT_TRIES = _LIMITS["endpoint_tries"]
ENDPOINT_SECONDS = _LIMITS["endpoint_seconds"]
ARCHIVE_HEADLINES = _LIMITS["archive_headlines"]
ARCHIVE_WINDOW = _LIMITS["archive_window"]
ARCHIVE_PAIRS = _LIMITS["archive_pairs"]
