"""Programs that speak the Model Context Protocol: what they get, what they may change, what they may read."""

import asyncio
import json
import sys

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters, stdio_client

from cli.mcp import mcp, server

READING = {
    *("open_timeline", "group", "explain", "near_misses", "facts_grid", "check_numbers"),
    *("write", "compare", "score_pairs", "contradictions"),
}
STRIKE = ["Rail strike halts trains across France", "French trains halted by rail strike"]
HEADLINES = [
    *STRIKE,
    "Volcano erupts in Iceland near Grindavik",
    "Iceland volcano erupts near Grindavik again",
]


async def _answers(target, calls):
    async with Client(target) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        return tools, [await client.call_tool(name, words) for name, words in calls]


@pytest.fixture
def ask(tmp_path):
    """Calls tools of one server after the other; gives the tools and the answers."""

    def run(*calls, writes=False):
        return asyncio.run(_answers(server(tmp_path, writes=writes), calls))

    return run


@pytest.mark.slow
def test_tools_answer_with_what_people_see(ask):
    tools, answers = ask(
        ("open_timeline", {"source": "sample:iss", "most": 2}),
        ("group", {"source": HEADLINES}),
        ("explain", {"source": HEADLINES, "left": 1, "right": 2}),
        ("facts_grid", {"source": "sample:iss", "group": 1}),
        ("near_misses", {"source": "sample:iss", "group": 1}),
        ("check_numbers", {"article": "The blaze hurt 27 people.", "headlines": ["27 Killed in Blaze"]}),
        ("score_pairs", {"pairs": [STRIKE]}),
        ("contradictions", {"source": HEADLINES, "scorer": "levenshtein"}),
        ("write", {"article": "The mayor opened the bridge on Monday.", "system": "first_sentence"}),
        ("compare", {"systems": {"a": ["Bridge opened"]}, "articles": ["The mayor opened the bridge."]}),
    )
    assert set(tools) == READING
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert not any(answer.is_error for answer in answers)
    opened, groups, why, grid, near, numbers, pairs, counts, written, table = [
        answer.structured_content for answer in answers
    ]
    assert (opened["headlines"], len(opened["first"])) == (47, 2)
    assert [line["headlines"] for line in groups["largest"]] == [[1, 2], [3, 4]]
    assert why["together"]
    assert "strike" in why["shared"]
    assert len(grid["outlets"]) > 2
    assert near["groups"]
    assert numbers["numbers"][0]["verdict"] == "check this"
    assert pairs["pairs"][0]["same_event"] == 1
    assert counts["headlines"] == 4
    assert written["headline"]
    assert "a" in table["table"]


def test_nothing_outside_the_folder_is_read_and_bad_calls_say_what_to_do(ask, tmp_path):
    secret = tmp_path.parent / "secret.csv"
    secret.write_text("headline\nNobody may read this\n", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(secret)
    _, answers = ask(
        ("open_timeline", {"source": "../secret.csv"}),
        ("open_timeline", {"source": str(secret)}),
        ("open_timeline", {"source": "link.csv"}),
        ("group", {"source": ["x"], "granularity": 7}),
        ("facts_grid", {"source": "sample:iss", "group": 999}),
        ("explain", {"source": HEADLINES, "left": 1, "right": 9}),
        ("correct", {"source": HEADLINES, "action": "merge", "groups": [1, 2]}),
    )
    said = [answer.content[0].text for answer in answers]
    assert all(answer.is_error for answer in answers)
    assert not any("Nobody may read" in text or "Traceback" in text for text in said)
    assert "1 to 4" in said[5]


def test_a_program_that_may_write_corrects_as_people_do_and_overwrites_nothing(ask, tmp_path):
    tools, answers = ask(
        ("correct", {"source": HEADLINES, "action": "split", "headlines": [2]}),
        ("export", {"source": HEADLINES, "path": "groups.csv"}),
        ("export", {"source": HEADLINES, "path": "groups.csv"}),
        ("export", {"source": HEADLINES, "path": "../groups.csv"}),
        ("correct", {"source": HEADLINES, "action": "undo"}),
        ("correct", {"source": HEADLINES, "action": "undo"}),
        writes=True,
    )
    assert set(tools) - READING == {"correct", "export"}
    assert [answer.is_error for answer in answers] == [False, False, True, True, False, True]
    assert len(answers[0].structured_content["largest"]) == 3
    assert len(answers[4].structured_content["largest"]) == 2
    assert "program" in (tmp_path / "groups.csv").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_speaks_over_stdin_and_stdout(tmp_path):
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "cli", "mcp", "--folder", str(tmp_path)]
    )

    async def run():
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("group", {"source": HEADLINES})

    assert asyncio.run(run()).structured_content["groups"] == 2


def test_a_line_that_cannot_be_read_is_answered_and_takes_no_other_with_it(tmp_path):
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    call = '{"params":{"name":"check_numbers","arguments":{"article":%s}},"method":"tools/call","id":%s}'
    texts = ['"\\ud800"', '"\\"id\\":0,\\udc00"', "[" * 2_000, "9" * 5_000, '"\x01"']
    lines = [call % (text, 10 + row) for row, text in enumerate(texts)]
    lines += [call % ('"\\ud800"', '"one"'), "no json", '{"jsonrpc":"2.0","id":20,"method":5}', "5"]
    lines += ['{"jsonrpc":"2.0","id":21,"method":"tools/call","params":"x"}']
    hello = {"jsonrpc": "2.0", "id": 30, "method": "initialize", "params": about}
    done = CliRunner().invoke(mcp, ["--folder", str(tmp_path)], input="\n".join([*lines, json.dumps(hello)]))
    *refused, greeted = map(json.loads, done.stdout.splitlines())
    assert [line["id"] for line in refused] == [10, 11, 12, 13, 14, "one", None, 20, None, 21]
    assert all(line["error"]["code"] < 0 and "." in line["error"]["message"] for line in refused)
    assert greeted["id"] == 30
    assert "result" in greeted
