"""The page of a checked headline as a Jinja2 template; every value is escaped but our own style sheet."""

from __future__ import annotations

from typing import Final

from core.results.template import HEAD

STYLE: Final = """
.checked{font:600 27px/1.6 var(--serif)}.article{white-space:pre-line;line-height:1.75;max-width:75ch}
mark{color:inherit;padding:0 2px;border-radius:3px;background:color-mix(in srgb,var(--group) 18%,transparent);
text-decoration:underline var(--line,solid) var(--group) 2px;text-underline-offset:3px}
.derived{--line:dashed}.contradicted{--line:wavy}.unsupported{--line:dotted}
sup{display:inline-block;margin-left:3px;padding:0 4px;border:1px solid var(--group);border-radius:8px;
font:600 11px/1.2 var(--sans);text-decoration:none}
.card{margin:0 0 16px;border-top-width:4px}
"""

PAGE: Final = (
    HEAD
    + """\
<header>
<p class="kicker">Headline Lab: the numbers of a headline</p>
<h1>{{ said }}</h1>
</header>
{%- macro cut(pieces) %}
{%- for piece in pieces %}
{%- if piece.status %}<mark class="{{ piece.status }} {{ piece.paint }}">{{ piece.text }}
{%- for badge in piece.badges %}<sup>{{ badge }}</sup>{% endfor %}</mark>
{%- else %}{{ piece.text }}{% endif %}
{%- endfor %}
{%- endmacro %}
<p class="checked" dir="auto">{{ cut(headline) }}</p>
{%- for one in numerals %}
<article class="card {{ one.paint }}">
<h2><bdi>{{ one.badge }} · {{ one.text }}</bdi> — {{ one.status }}</h2>
<p dir="auto">{{ one.reason }}</p>
<p class="quiet">Support {{ one.support }}</p>
{%- if one.ways %}
<table>
<thead><tr><th scope="col">Expression</th><th scope="col">In words</th>
<th scope="col" class="number">Probability</th></tr></thead>
<tbody>
{%- for expression, words, probability in one.ways %}
<tr><td><code>{{ expression }}</code></td><td dir="auto">{{ words }}</td>
<td class="number">{{ probability }}</td></tr>
{%- endfor %}
</tbody>
</table>
{%- endif %}
</article>
{%- endfor %}
<section>
<h2>The article</h2>
<p class="article" dir="auto">{{ cut(article) }}</p>
</section>
<footer>
<p class="quiet">Checked by <code>{{ system }}</code>. Headline Lab {{ version }}.
The same texts and settings give this file again, byte for byte.</p>
</footer>
</main>
</body>
</html>
"""
)
