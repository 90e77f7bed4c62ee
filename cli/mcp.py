"""`headline-lab mcp`: what people do in the app, as tools of the Model Context Protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

import headline_lab as lab
from cli.options import command
from core import __version__, files
from core.errors import CoreError, InputError
from core.extras import extras

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.types import JSONRPCError

    from core.data.timelines.timeline import Timeline
    from core.events.grouping import Grouping, Prepared

Answer = dict[str, Any]
_MOST_LISTED: Final = 200  # groups, headlines or contradictions that one answer lists
Source = str | Annotated[list[str], MaxLen(5_000)]
Level = Annotated[float, Ge(0), Le(1)] | None
Most = Annotated[int, Ge(1), Le(_MOST_LISTED)]
Text = Annotated[str, MinLen(1), MaxLen(200_000)]
_ID: Final = re.compile(r'"id"\s*:\s*("[^"\\\x00-\x1f]*"|-?[1-9]\d{0,17}|0)(?=\s*[,}])')  # of a request
_ABOUT: Final = (
    "Headline Lab groups news headlines by event, says where reports differ, and checks the numbers of "
    "headlines against their article. A source is 'sample:iss' or another sample, a file below the server's "
    "folder, or a list of headlines. Headlines have their numbers in the source, from 1; groups have theirs "
    "from `group`; a granularity of null is the timeline's own level. The verdict 'found' only means that "
    "the article has the number."
)


@command()
def mcp(folder: Path, *, writes: bool) -> None:
    """Serve ten tools, twelve with --write, over stdin and stdout: the Model Context Protocol."""
    import anyio

    anyio.run(_serve, server(folder, writes=writes))


async def _serve(app: MCPServer[Any]) -> None:
    # The SDK drops a line that is no message, such as one with half of a character, and its client waits.
    import anyio
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    sending, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    inner = app._lowlevel_server
    async with stdio_server() as (lines, answers), anyio.create_task_group() as tasks:

        async def read() -> None:
            async with sending:
                async for line in lines:
                    if isinstance(line, ValueError):
                        await answers.send(SessionMessage(_refusal(line)))
                    else:
                        await sending.send(line)

        tasks.start_soon(read)
        await inner.run(messages, answers, inner.create_initialization_options())


def _refusal(unread: Any) -> JSONRPCError:
    from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

    first, *_, last = 2 * unread.errors()
    given, number = last["input"], None
    if isinstance(given, dict):
        number = given.get("id")
    elif isinstance(given, str) and (found := _ID.search(given)):
        number = json.loads(found[1])
    code = PARSE_ERROR if first["type"] == "json_invalid" else INVALID_REQUEST
    said = f"This line is no message of JSON-RPC 2.0 ({first['msg']}). Send it again as whole characters."
    error = ErrorData(code=code, message=said)
    return JSONRPCError(jsonrpc="2.0", id=number if type(number) in (int, str) else None, error=error)


def server(folder: Path, *, writes: bool = False) -> MCPServer[Any]:
    """The server and its tools; those that change something only where `writes` is asked for."""
    with extras():
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations

    def refusing(work: Callable[..., Answer]) -> Callable[..., Answer]:
        @wraps(work)
        def answer(*args: Any, **kwargs: Any) -> Answer:
            try:
                return work(*args, **kwargs)
            except CoreError as error:
                raise ToolError(f"{error.message} {error.hint}".strip()) from None

        return answer

    tools = Tools(folder.resolve())
    app: MCPServer[Any] = MCPServer("Headline Lab", version=__version__, instructions=_ABOUT)
    reading = (
        *(tools.open_timeline, tools.group, tools.explain, tools.near_misses, tools.facts_grid),
        *(tools.check_numbers, tools.write, tools.compare, tools.score_pairs, tools.contradictions),
    )
    changing = (tools.correct, tools.export) if writes else ()
    for work in (*reading, *changing):
        hints = ToolAnnotations(read_only_hint=work in reading, destructive_hint=False, open_world_hint=False)
        app.add_tool(refusing(work), annotations=hints)
    return app


class Tools:
    """The tools, over files of one folder; the timelines that were grouped last are remembered."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prepared = lru_cache(maxsize=4)(self._prepare)

    def open_timeline(self, source: Source, most: Most = 50) -> Answer:
        """Read headlines: how many, notes on what was guessed, rows that were refused, and the first ones."""
        timeline = self._read(source)
        refused = timeline.report.rejected
        return {
            "headlines": len(timeline),
            "dated": len(timeline) - timeline.undated,
            "notes": list(timeline.report.notes),
            "refused": [f"{row.place}: {row.reason}" for row in refused[:most]],
            "first": [_headline(timeline, row) for row in range(min(most, len(timeline)))],
        }

    def group(self, source: Source, granularity: Level = None, most: Most = 50) -> Answer:
        """Group headlines by event, the largest first; corrections that people made are in force."""
        from core.events.cards import group_summaries
        from core.events.grouping_summary import groups_as_object

        prepared, grouping = self._grouped(source, granularity)
        lines = group_summaries(prepared, grouping)
        timeline = prepared.timeline
        return groups_as_object(prepared, grouping) | {
            "largest": [
                {
                    "group": line.group,
                    "title": grouping.title(line.group, timeline.texts[line.representative]),
                    "size": line.size,
                    "outlets": list(line.publishers[:_MOST_LISTED]),
                    "headlines": [row + 1 for row in line.rows[:_MOST_LISTED]],
                }
                for line in lines[:most]
            ]
        }

    def explain(self, source: Source, left: int, right: int, granularity: Level = None) -> Answer:
        """Say why two headlines are together or apart: similarity, its parts, what is shared, clashes."""
        from core.events.explanations import why_together

        prepared, grouping = self._grouped(source, granularity)
        why = why_together(prepared, grouping, *_rows(prepared, [left, right]))
        link, differences = why.link, why.differences
        return {
            "together": link.together,
            "similarity": round(link.similarity, 4),
            "together_from_granularity": link.joins_at,
            "parts": {part.name: round(part.value, 4) for part in why.parts},
            "chain": [[step.left + 1, step.right + 1, round(step.similarity, 4)] for step in link.chain],
            "shared": [*differences.shared_names, *differences.shared_words, *differences.shared_numbers],
            "numbers_differ": [[clash.left, clash.right] for clash in differences.number_conflicts],
            "may_contradict": [[clash.left, clash.right] for clash in differences.opposed],
        }

    def near_misses(self, source: Source, group: int, granularity: Level = None) -> Answer:
        """List groups and single headlines that nearly joined a group, each with the reason why not."""
        from core.events.cards import group_card

        prepared, grouping = self._grouped(source, granularity)
        card = group_card(prepared, grouping, group)
        return {
            name: [
                {
                    "group": neighbour.group,
                    "headline": _headline(prepared.timeline, neighbour.row),
                    "similarity": round(neighbour.similarity, 4),
                    "reason": neighbour.reason.value,
                }
                for neighbour in neighbours
            ]
            for name, neighbours in (("groups", card.groups), ("headlines", card.headlines))
        }

    def facts_grid(self, source: Source, group: int, granularity: Level = None) -> Answer:
        """Compare what outlets state of one event: a row an outlet in order of reporting, a column a fact."""
        from core.events.cards import find_event
        from core.events.facts import facts_grid
        from core.events.facts_text import grid_object

        prepared, grouping = self._grouped(source, granularity)
        grid = facts_grid(prepared.timeline, find_event(prepared, grouping, group))
        told = grid_object(grid, range(1, len(prepared.timeline.texts) + 1))
        return told | {"notes": prepared.source.unread_notes()}

    def check_numbers(self, article: Text, headlines: Annotated[list[str], MaxLen(100)]) -> Answer:
        """Check each number of headlines against their article: supported, found, check this or wrong."""
        return {"numbers": json.loads(lab.check_numerals(article, headlines).to_json(orient="records"))}

    def write(self, article: Text, system: str = "") -> Answer:
        """Write a headline for an article, with the verdict on each of its numbers."""
        (headline,) = lab.write_headlines([article], system=system)
        checked = self.check_numbers(article, [headline]) if headline else {"numbers": []}
        return {"headline": headline, **checked}

    def compare(
        self,
        systems: dict[str, list[str]],
        articles: Annotated[list[str], MaxLen(1_000)],
        references: list[str] | None = None,
        against: str = "",
    ) -> Answer:
        """Score the headlines of several systems on the same articles, with 95 % intervals, as Markdown."""
        table = lab.compare_headlines(systems, articles, references=references, against=against)
        return {"table": lab.as_markdown(table)}

    def score_pairs(self, pairs: Annotated[list[tuple[str, str]], MaxLen(5_000)], scorer: str = "") -> Answer:
        """Score pairs of headlines: do they report the same event?"""
        table = lab.score_pairs(pairs, scorer=scorer)
        return {"signature": table.attrs["signature"], "pairs": json.loads(table.to_json(orient="records"))}

    def contradictions(self, source: Source, scorer: str = "") -> Answer:
        """Count where a pair scorer contradicts itself: flips when swapped; A = B, A = C, but not B = C."""
        return lab.contradictions(self._read(source), scorer=scorer)

    def correct(
        self,
        source: Source,
        action: Literal["merge", "move", "split", "title", "undo"],
        groups: list[int] | None = None,
        headlines: list[int] | None = None,
        title: str = "",
    ) -> Answer:
        """Correct the groups as a person would; the app shows it too, signed 'program', and can undo it.

        merge: `groups`. move: `headlines` into the one of `groups`. split: `headlines` become a group of
        their own. title: `title` for the one of `groups`. undo: takes the newest correction back.
        """
        from core.events.correcting import Correcting
        from core.events.corrections import store_of

        prepared, grouping = self._grouped(source, None)
        store, named = store_of(prepared.timeline), groups or []
        correcting = Correcting(prepared, grouping, store.read(), who="program")
        rows = _rows(prepared, headlines or [])
        if action in {"move", "title"} and len(named) != 1:
            raise InputError(f"'{action}' needs exactly one group.", hint="Give its number in `groups`.")
        if action == "undo":
            latest = next((done for done in reversed(store.read().in_force) if done.who == "program"), None)
            if latest is None:
                raise InputError("No correction of a program is in force.", hint="There is nothing to undo.")
            store.undo(latest, "program")
        elif action == "merge":
            store.add(correcting.merge(named))
        elif action == "move":
            store.add(correcting.move(rows, named[0]))
        elif action == "split":
            store.add(correcting.split(rows))
        else:
            store.add(correcting.entitle(named[0], title))
        return self.group(source)

    def export(self, source: Source, path: str, granularity: Level = None) -> Answer:
        """Write every headline with its group to a new .csv, .tsv, .xlsx, .json, .jsonl or .parquet file."""
        from core.events.export import FORMATS, check_target, table_bytes

        target = self._path(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind not in FORMATS:
            raise InputError(f"{path!r} has no known ending.", hint=f"Use one of: {', '.join(FORMATS)}.")
        check_target(target)
        if target.exists():
            raise InputError(f"{path} is there already.", hint="Give a new name.")
        prepared, grouping = self._grouped(source, granularity)
        files.write(target, table_bytes(prepared, grouping, kind))
        return {"written": str(target.relative_to(self._folder)), "headlines": len(prepared.source)}

    def _path(self, name: str) -> Path:
        try:
            path = (self._folder / name).resolve()
        except (OSError, ValueError):  # "\0", half of a character, a name that is too long
            raise InputError(f"{name!r} is not the name of a file.", hint="Check the name.") from None
        if not path.is_relative_to(self._folder):
            raise InputError(f"{name!r} is outside the folder of this server.", hint="Use a file inside it.")
        return path

    def _read(self, source: str | list[str]) -> Timeline:
        if isinstance(source, list) or source.startswith("sample:"):
            return lab.read_timeline(source)
        return lab.read_timeline(self._path(source))

    def _prepare(self, source: str | tuple[str, ...], changed: int) -> Prepared:
        from core.events.grouping import Settings, prepare
        from core.runtime import Runtime, detect_device

        read = self._read(list(source) if isinstance(source, tuple) else source)
        return prepare(read, Settings(), Runtime(device=detect_device()))

    def _grouped(self, source: str | list[str], granularity: float | None) -> tuple[Prepared, Grouping]:
        from core.events.corrections import fitted, store_of
        from core.events.grouping import regroup

        named = isinstance(source, str) and not source.startswith("sample:")
        path = self._path(str(source)) if named else None
        changed = path.stat().st_mtime_ns if path is not None and path.is_file() else 0
        prepared = self._prepared(source if isinstance(source, str) else tuple(source), changed)
        corrections = fitted(store_of(prepared.timeline).read(), prepared.timeline.index.row)
        return prepared, regroup(prepared, granularity, corrections=corrections)


def _rows(prepared: Prepared, numbers: list[int]) -> list[int]:
    most = len(prepared.timeline)
    if any(not 1 <= number <= most for number in numbers):
        raise InputError(f"Headlines have the numbers 1 to {most:,}.", hint="Give numbers among them.")
    return [number - 1 for number in numbers]


def _headline(timeline: Timeline, row: int) -> Answer:
    import pandas as pd

    published = timeline.table["published"].iloc[row]
    return {
        "number": row + 1,
        "headline": timeline.texts[row],
        "outlet": timeline.publishers[row] or "",
        "published": "" if pd.isna(published) else published.isoformat(),
    }
