"""Strings that mean harm or were made by accident, and a table of strings."""

import csv
import io

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
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue().encode("utf-8", errors="surrogatepass")
