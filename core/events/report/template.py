"""What stands in the report as a Jinja2 template; every value is escaped unless it is our own SVG."""

from __future__ import annotations

from typing import Final

PAGE: Final = """\
{%- macro signature() %}
<p class="signature">Made with <code>{{ content_signature }}</code>
on data <code>{{ fingerprint }}</code>.</p>
{%- endmacro %}
{%- macro headline(row) %}
{%- if row.link %}<a href="{{ row.link }}" rel="noopener noreferrer nofollow">{{ row.text }}</a>
{%- else %}{{ row.text }}{% endif %}
{%- endmacro %}
<header>
<p class="kicker">Headline Lab report</p>
<h1 dir="auto">{{ title }}</h1>
<dl class="facts">
{%- for label, value in facts %}
<div><dt>{{ label }}</dt><dd dir="auto">{{ value }}</dd></div>
{%- endfor %}
</dl>
</header>
<div class="tools" id="tools" hidden>
<input id="search" type="search" placeholder="Search the headlines ( / )" aria-label="Search the headlines">
<button id="unfold" type="button">Open all</button>
<button id="fold" type="button">Fold all</button>
<span id="found" role="status"></span>
</div>
{%- for note in notes %}
<p class="quiet">{{ note }}</p>
{%- endfor %}
{%- for figure in figures %}
<section>
<h2>{{ figure.title }}</h2>
<p>{{ figure.lead }}</p>
<figure>
<div class="picture" role="img" aria-label="{{ figure.words }}" tabindex="0">{{ figure.svg|safe }}</div>
<p class="quiet sideways">Scroll the picture sideways to see all of it.</p>
<figcaption>{{ figure.caption }}</figcaption>
{{- signature() }}
</figure>
</section>
{%- endfor %}
{%- if quality %}
<section>
<h2>How well the groups match the gold groups</h2>
{{ quality|safe }}
{{- signature() }}
</section>
{%- endif %}
{%- if cards %}
<section>
<h2>The groups</h2>
<p>{{ cards_lead }}</p>
<div class="cards">
{%- for card in cards %}
<article class="card {{ card.paint }}">
<h3 dir="auto">{{ card.headline }}</h3>
<p class="quiet">{{ card.summary }}</p>
{%- for remark in card.remarks %}
<p class="quiet" dir="auto">{{ remark }}</p>
{%- endfor %}
{%- if card.suggested %}
<p><span class="quiet">Suggested headline:</span>
<span class="headline" dir="auto">{{ card.suggested }}</span>
<span class="quiet">{{ card.reason }}</span></p>
{%- endif %}
<details{% if loop.index <= open_cards %} open{% endif %}>
<summary>{{ card.count }}</summary>
<ul>
{%- for row in card.rows %}
<li><span class="headline" dir="auto">{{ headline(row) }}</span>
<span class="quiet">{{ row.date }}
{%- if row.publisher %} · <bdi>{{ row.publisher }}</bdi>{% endif %}
{%- if row.also %} · <bdi>{{ row.also }}</bdi>{% endif %}</span></li>
{%- endfor %}
</ul>
{%- if card.more %}
<p class="quiet">{{ card.more }}</p>
{%- endif %}
</details>
</article>
{%- endfor %}
</div>
</section>
{%- endif %}
<section>
<h2>All headlines</h2>
<p>{{ table_lead }}</p>
<details{% if rows|length <= open_rows %} open{% endif %}>
<summary>{{ rows_count }}</summary>
<table class="rows">
<thead><tr><th scope="col" class="number">Row</th><th scope="col">Headline</th>
<th scope="col">Date</th><th scope="col">Publisher</th><th scope="col">Group</th></tr></thead>
<tbody>
{%- for row in rows %}
<tr><td class="number">{{ row.number }}</td><td class="headline" dir="auto">{{ headline(row) }}</td>
<td class="date">{{ row.date }}</td><td dir="auto">{{ row.publisher }}</td>
<td class="group"><span class="dot {{ row.paint }}"></span>{{ row.group }}</td></tr>
{%- endfor %}
</tbody>
</table>
</details>
{%- if more %}
<p>{{ more }}</p>
{%- endif %}
</section>
<footer>
{{- signature() }}
<p class="quiet">{{ rejected }} Headline Lab {{ version }}.
The same data and settings give this file again, byte for byte.</p>
</footer>
"""
