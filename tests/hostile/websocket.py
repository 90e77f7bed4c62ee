"""`python -m tests.hostile.websocket --seeds 0 20`: one visitor of a workshop attacks another over the wire.

Ada has an uploaded file and pasted headlines open. Bo, who was told every id and address of hers but not her
cookie, sends what no page sends: bytes, states of widgets, uploads, addresses, cookies. After each message
nothing of Ada's or of the owner's has reached Bo, and no place on the server anybody; after each seed Ada's
pages show what they did, and the app opens for somebody new.
"""

import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.browser import SERVE, running
from benchmarks.sessions import PAGES
from components.server.server_keys import BROWSER
from components.server.visitor_files import VISITOR
from core.files import ROOT
from core.runtime import MODE
from tests.hostile.browsers import PATIENCE, Person, Tab, uploaded

MESSAGES = 50  # of Bo's, by each seed; one of them is a hundred at once
OWNER = "Ownerqwillow"
"""A word in what the owner keeps on this computer, which no visitor is to see."""
PLACES = (str(ROOT), sys.prefix, "site-packages", "Traceback (most recent call last)", 'File "/')
FIELDS = {
    "Button": "trigger_value", "DownloadButton": "trigger_value", "Checkbox": "bool_value",
    "Slider": "double_array_value", "NumberInput": "double_value", "MultiSelect": "string_array_value",
    "ButtonGroup": "string_array_value", "FileUploader": "file_uploader_state_value",
    "BidiComponent": "json_value",
}  # fmt: skip
"""What the state of a widget is, by its kind; of others a string."""
TEXTS = (
    "", "\0", "../../../../etc/passwd", "/etc/passwd", "~root", "kept_for_all", "own:kept_for_all", "null",
    "file-0123456789abcdef", "a" * 300_000, "\u202e\u0301" * 500, "<script>alert(1)</script>", "nan", "1e999",
    "-1", "9" * 400, "=cmd()", "[" * 20_000, '{"selection": {"rows": [-1, 10000000000]}}', "[[[]]]", "{}",
    '{"selection": {"points": "x", "rows": {"a": [null]}}}',
)  # fmt: skip
NUMBERS = (0.0, -1.0, 0.5, 1e308, float("nan"), float("inf"), 2.0**63)
QUERIES = (
    "data",
    "method",
    "scorer",
    "encoder",
    "rows",
    "cut",
    "group",
    "room",
    "study",
    "archive",
    "stream",
)
PATHS = (
    "/media/../menu.py", "/media/%2e%2e/%2e%2e/etc/passwd", "/_stcore/metrics", "/component/../../app.py",
    "/static/js/..%2f..%2f..%2fapp.py", "/app/static/x", "/_stcore/agent/", "//etc/passwd", "/\0",
    "/~/+/a.js", "/_stcore/bidi-components/x", "/_stcore/upload_file/%2e%2e/x",
)  # fmt: skip


class Violation(Exception):
    pass


class Attack:
    def __init__(self, seed, url):
        self.chance, self.seed, self.url = random.Random(seed), seed, url
        self.secret, self.mark = f"Adaquill{seed}x", f"Bobrakk{seed}x"
        self.ada, self.bo, self.new = Person(url), Person(url), Person(url)
        self.hers, self.tab = (Tab(self.ada), Tab(self.ada)), Tab(self.bo)
        self.map, self.maps = Tab(self.ada), []
        self.address, self.counts = "", Counter()

    async def prepare(self):
        for tab in (*self.hers, self.tab):
            await tab.person.arrive()
            await tab.open()
            await tab.show()
        file, pasted = self.hers
        lines = "".join(f"{self.secret} {word} harbour opens\n" for word in ("East", "West", "North"))
        await pasted.show(first_lines=lines)
        await file.show("sources")
        self.address, state = await file.upload(f"{self.secret}.csv", b"headline\n" + lines.encode())
        await file.show(upload=state)
        pasted.states = {}
        await self.has_hers("at the beginning")
        async with asyncio.timeout(PATIENCE):
            while not (download := await pasted.download()):
                await pasted.show()  # until it is grouped
        assert (await self.ada.ask("GET", download)).ok
        await self.map.open()
        self.map.page, self.map.query = pasted.page, f"{pasted.query}&show=map"
        async with asyncio.timeout(PATIENCE):
            while not self.maps:
                await self.map.show()
                self.maps = [one for one in self.ada.addresses if one.endswith(".gz")]
        assert all([(await self.ada.ask("GET", one)).ok for one in self.maps[-3:]])
        self.check("at the beginning")

    # What is drawn

    def text(self):
        hers = [tab.session for tab in self.hers] + [self.hers[1].query, *self.hers[1].deferred]
        return self.chance.choice([*TEXTS, self.mark, *hers, *self.maps[-3:]])

    def state(self, name, field):
        if field == "file_uploader_state_value":
            return WidgetState(
                id=name, **{field: uploaded(self.address, "a.csv", 10, self.chance.choice([None, "x"]))}
            )
        state, draw = WidgetState(id=name), self.chance.choice
        values = {"b": draw([True, True, False]), "d": draw(NUMBERS), "i": draw([0, -1, 2**62]), "t": True}
        if field in {"bytes_value", "arrow_value"}:
            state.bytes_value = self.chance.randbytes(50)
        elif field.endswith("array_value"):
            many = draw([0, 1, 2, 50])
            numbers = NUMBERS if field.startswith("d") else [0, -1, 2**62]
            drawn = [self.text() if field.startswith("s") else draw(numbers) for _ in range(many)]
            getattr(state, field).data.extend(drawn)
        elif field in {"string_trigger_value", "chat_input_value"}:
            getattr(state, field).data = self.text()
        else:
            setattr(state, field, values.get(field[0], self.text()))
        return state

    def forged(self, *, right=True):
        """The page with states of some widgets, of the right kind or of any."""
        message = self.tab.rerun()
        known = sorted((self.hers[0].widgets | self.hers[1].widgets | self.tab.widgets).items())
        fields = [field.name for field in WidgetState.DESCRIPTOR.fields[1:]]
        for name, kind in self.chance.sample(known, min(len(known), self.chance.choice([1, 1, 3, 30]))):
            field = FIELDS.get(kind, "string_value") if right else self.chance.choice(fields)
            ends = f"$$STREAMLIT_INTERNAL_KEY_{name}__events"
            named = name if right else self.chance.choice([name, name, ends])
            message.rerun_script.widget_states.widgets.append(self.state(named, field))
        return message

    # What Bo does

    async def states_of_the_right_kind(self):
        await self.tab.send(self.forged(), wait=8)

    async def states_of_any_kind(self):
        await self.tab.send(self.forged(right=False), wait=8)

    async def other_pages(self):
        await self.tab.show(self.chance.choice(PAGES))

    async def bytes_alone(self):
        whole = self.forged().SerializeToString()
        flipped = bytearray(whole)
        for _ in range(8):
            flipped[self.chance.randrange(len(whole))] = self.chance.randrange(256)
        cut = whole[: self.chance.randrange(len(whole))]
        drawn = [self.chance.randbytes(200), cut, bytes(flipped), "words", b"", whole * 3, b"a" * 30_000_000]
        await self.tab.send(self.chance.choice(drawn), wait=0.5)

    async def messages_at_once(self):
        for _ in range(99):
            await self.tab.socket.send(self.forged(right=self.chance.random() < 0.5).SerializeToString())
        self.counts["messages_at_once"] += 99
        await self.tab.send(self.tab.rerun())

    async def addresses_of_pages(self):
        message, name, value = self.tab.rerun(), self.chance.choice(QUERIES), self.text()
        queries = [
            self.hers[1].query,
            f"{name}={value}",
            value,
            f"{name}={value}&" * 50,
            "%ff%00=%",
            "a=1&a=2&" * 999,
        ]
        message.rerun_script.query_string = self.chance.choice(queries)
        message.rerun_script.page_script_hash = self.chance.choice([*self.tab.pages.values(), "0" * 32, "\0"])
        message.rerun_script.page_name = self.chance.choice(["", self.text()])
        await self.tab.send(message, wait=8)

    async def fragments(self):
        message = self.forged()
        known = self.hers[0].fragments | self.hers[1].fragments | self.tab.fragments | {"none"}
        message.rerun_script.fragment_id = self.chance.choice(sorted(known))
        message.rerun_script.is_auto_rerun = self.chance.random() < 0.5
        await self.tab.send(message, wait=3)

    async def orders(self):
        """Messages of all other kinds, which tell the server to do something."""
        message, stolen = BackMsg(), ""
        flags = [field.name for field in BackMsg.DESCRIPTOR.fields if field.message_type is None]
        kind = self.chance.choice(
            [*flags, *["file"] * 8, "urls", "chunk", "install_skills", "dismiss_skills_nudge"]
        )
        asked = message.backend_operation_request
        if kind in {"file", "chunk", "install_skills", "dismiss_skills_nudge"}:
            asked.session_id = self.tab.session  # Streamlit asks for it
        if kind in flags:
            setattr(message, kind, True)
        elif kind == "urls":
            message.file_urls_request.session_id = self.hers[0].session
            message.file_urls_request.file_names.extend([self.text()] * self.chance.choice([1, 50]))
        elif kind == "file":
            stolen = self.chance.choice([*self.hers[1].deferred[-3:], "none"])
            asked.deferred_file.file_id = stolen
        elif kind == "chunk":
            asked.dataframe_chunk.source_id, asked.dataframe_chunk.limit = self.text(), 2**31 - 1
        else:
            getattr(asked, kind).SetInParent()
        self.tab.made = []
        await self.tab.send(message, wait=2 if stolen else 0.3)
        if stolen and any(self.tab.made):
            raise Violation("a file that Ada may download was made for Bo")
        if any(b"git_info" in content or b"untracked" in content for content in self.tab.shown[-3:]):
            raise Violation("the state of the owner's files was sent")

    async def uploads(self):
        own = f"/_stcore/upload_file/{self.tab.session}/"
        address = self.chance.choice([self.address, self.address, own + "mine", own + "%2e%2e%2fx", own])
        token = self.chance.choice([None, None, "", "forged", self.ada.token])
        content = f"headline\n{self.mark} storm closes airport\n" * 3
        file = {"file": (self.chance.choice(["a.csv", "../a\0.csv", "a" * 5_000]), content.encode())}
        method = self.chance.choice(["DELETE", "PUT", "PUT"])
        answer = await self.bo.ask(method, address, token=token, files=file if method == "PUT" else None)
        if answer.ok and (address == self.address or token in {"", "forged", self.ada.token}):
            raise Violation(f"{method} {address} with the token {token!r} was done for Bo")

    async def files(self):
        download = await self.hers[1].download()  # it goes with the next page that is drawn
        path = self.chance.choice(
            [
                *[download] * 8,
                *self.maps * 3,
                self.address,
                *PATHS,
                f"/archive/points?name={self.text()[:999]}",
            ]
        )
        method = self.chance.choice(["GET", "GET", "HEAD", "OPTIONS", "POST"])
        headers = {"Range": self.chance.choice(["bytes=0-", "bytes=9-1", "bytes=-1", "x"])}
        answer = await self.bo.ask(method, path, headers=headers)
        if path and path in {download, *self.maps} and answer.ok and method != "OPTIONS":
            raise Violation(f"{path} of Ada's is open to Bo")

    async def connections(self):
        """Another socket: with a session of Ada's, with cookies and names that are made up."""
        stolen = self.chance.choice(self.hers).session
        forged = [
            f"{self.bo.cookies}; _streamlit_user=forged; {BROWSER}=a.b; x", f"{VISITOR}=; {self.bo.cookies}",
            f"{VISITOR}=../ada", "=;;=",
        ]  # fmt: skip
        drawn = [{}, {"cookies": self.chance.choice(forged)}, {"origin": "http://attacker.example"}]
        drawn.append({"protocols": ["streamlit", self.chance.choice([stolen, "x" * 2_000]), stolen, "more"]})
        other, given = Tab(self.bo), self.chance.choice(drawn)
        with suppress(ConnectionClosed, InvalidStatus):
            await other.open(session=stolen, **given)
            await other.send(other.rerun(), wait=10)
        await other.close()
        if other.session in {tab.session for tab in self.hers} or (given.get("origin") and other.session):
            raise Violation(f"a socket was opened with {given}, and a session of Ada's")

    # What has to hold

    def check(self, when):
        """Nobody has what is not meant for them; forgets what they were sent."""
        for person in (self.ada, self.bo, self.new):
            words = (OWNER, *PLACES, *([] if person is self.ada else [self.secret]))
            for word in (*words, *([] if person is self.bo else [self.mark])):
                for content in person.received:
                    if (at := content.find(word.encode())) >= 0:
                        around = content[max(0, at - 80) : at + 120]
                        raise Violation(f"seed {self.seed}, {when}: {word!r} was sent: {around!r}")
            person.received = []

    async def has_hers(self, when):
        for tab in self.hers:
            for _ in range(20):
                if not tab.alive:
                    raise Violation(f"seed {self.seed}, {when}: Ada was thrown out")
                if self.secret.encode() in await tab.show():
                    break
                await asyncio.sleep(0.5)  # it is being grouped
            else:
                raise Violation(f"seed {self.seed}, {when}: Ada's page does not show her headlines")

    async def play(self, messages):
        await self.prepare()
        moves = [self.states_of_the_right_kind] * 4 + [self.states_of_any_kind, self.other_pages] * 2
        moves += [
            self.bytes_alone,
            self.addresses_of_pages,
            self.fragments,
            self.orders,
            self.uploads,
            self.files,
        ]
        moves += [self.connections]
        for number in range(messages):
            move = self.messages_at_once if number == messages // 2 else self.chance.choice(moves)
            self.counts[move.__name__] += 1
            with suppress(ConnectionClosed):
                if self.tab.broken or not self.tab.alive:  # what is forged stays with its session
                    await self.tab.open(session="" if self.tab.broken else self.tab.session)
                    await self.tab.show()
                await move()
            self.check(f"message {number}, {move.__name__}")
        await self.has_hers("at the end")
        await self.new.arrive()
        opened, begun = await Tab(self.new).open(), time.monotonic()
        if b"check every number" not in await opened.show():
            raise Violation(f"seed {self.seed}: the app does not open for somebody new")
        self.check("at the end")
        for tab in (opened, self.tab, self.map, *self.hers):
            await tab.close()
        return time.monotonic() - begun


async def play(url, seeds, messages=MESSAGES):
    counts, slowest = Counter(), 0.0
    for seed in seeds:
        attack = Attack(seed, url)
        slowest = max(slowest, await attack.play(messages))
        counts += attack.counts
    return counts, slowest


def main(first=0, last=5):
    begun = time.monotonic()
    os.environ |= {MODE: "workshop", "STREAMLIT_LOGGER_ENABLE_RICH": "false"}
    with tempfile.TemporaryDirectory() as place:
        pairs = Path(place, "user", "pair_sets", "kept_for_all.csv")
        pairs.parent.mkdir(parents=True)
        pairs.write_text(f"headline_a,headline_b,label,event\n{OWNER} a,{OWNER} b,1,1\n{OWNER} c,d,0,2\n")
        with running(SERVE, Path(place)) as (url, _):
            try:
                counts, slowest = asyncio.run(play(url, range(first, last)))
            finally:
                if log := os.environ.get("KEEP_LOG"):
                    Path(log).write_bytes(Path(place, "server.log").read_bytes())
    print(*(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.most_common()), sep=", ")
    took = f"{time.monotonic() - begun:.0f} s; the app opened for somebody new in {slowest:.1f} s or less"
    print(f"{counts.total():,} messages, none broke a promise, {took}")


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[2:4]))
    except Violation as error:
        sys.exit(str(error))
