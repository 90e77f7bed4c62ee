"""The comparison report's page as a Jinja2 template; every value is escaped but our own style sheet."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
.wide{overflow-x:auto}.wide table{min-width:720px}
.best{font-weight:700}.span{display:block;color:var(--quiet);font-size:12px;font-weight:400}
.card{margin:0 0 16px;border-top-width:1px}
svg.spans{display:block;max-width:100%;height:auto}
.axis{stroke:var(--rule)}.bar{stroke:var(--group);stroke-width:2}.point{fill:var(--group)}
svg.spans text{fill:var(--ink);font-size:11px}
.part{display:grid;grid-template-columns:minmax(140px,220px) 1fr;gap:4px 16px;align-items:center;
padding:8px 0;border-top:1px solid var(--rule)}
.sys{white-space:nowrap}
"""

PAGE: Final = """\
<header>
<p class="kicker">Headline Lab comparison</p>
<h1 dir="auto">{{ title }}</h1>
<dl class="facts">
{%- for label, value in facts %}
<div><dt>{{ label }}</dt><dd dir="auto">{{ value }}</dd></div>
{%- endfor %}
</dl>
</header>
{%- for note in notes %}
<p class="quiet">{{ note }}</p>
{%- endfor %}
<section>
<h2>Systems by metrics</h2>
<div class="wide" tabindex="0">
<table>
<thead><tr><th scope="col">Metric</th>
{%- for name, paint in systems %}
<th scope="col" class="number" dir="auto"><span class="dot {{ paint }}"></span>{{ name }}</th>
{%- endfor %}
</tr></thead>
<tbody>
{%- for label, help, cells in rows %}
<tr><th scope="row">{{ label }}<span class="span">{{ help }}</span></th>
{%- for cell in cells %}
<td class="number{% if cell.best %} best{% endif %}">{{ cell.value }}{{ cell.mark }}
{%- if cell.span %}<span class="span">{{ cell.span }}</span>{% endif %}</td>
{%- endfor %}
</tr>
{%- endfor %}
</tbody>
</table>
</div>
<p class="quiet">The best value of a row is bold.</p>
</section>
{%- if pairs %}
<section>
<h2>Any two systems by {{ main }}</h2>
<p>Difference with its 95 % interval, the two-sided p-value of the paired bootstrap from the same resamples
{% if family %}(in parentheses by Holm, corrected for the {{ family }} comparisons of this table){% endif %},
and on how many articles the first wins, ties and loses.</p>
{{ pairs|safe }}
</section>
{%- endif %}
{%- if kinds %}
<section>
<h2>Where systems differ by {{ main }}</h2>
<p>Points are values, bars 95 % intervals; all on one scale.</p>
{%- for line in warnings %}
<p class="quiet">{{ line }}</p>
{%- endfor %}
{%- for kind, parts in kinds %}
<h3>{{ kind }}</h3>
{%- for part in parts %}
<div class="part"><div>{{ part.label }}<br><span class="quiet">{{ part.articles }}</span></div>
<svg class="spans" role="img" viewBox="-4 0 {{ width + 250 }} {{ 16 * part.marks|length + 4 }}"
width="{{ width + 250 }}" aria-label="
{%- for mark in part.marks %}{{ mark.system }} {{ mark.text }}{% if not loop.last %}, {% endif %}
{%- endfor %}">
{%- for mark in part.marks %}
{%- set y = 16 * loop.index0 + 10 %}
<g class="{{ mark.paint }}"><line class="axis" x1="0" x2="{{ width }}" y1="{{ y }}" y2="{{ y }}"/>
<line class="bar" x1="{{ mark.low }}" x2="{{ mark.high }}" y1="{{ y }}" y2="{{ y }}"/>
<circle class="point" cx="{{ mark.value }}" cy="{{ y }}" r="4"/>
<text x="{{ width + 10 }}" y="{{ y + 4 }}">{{ mark.text }} {{ mark.system }}</text></g>
{%- endfor %}
</svg></div>
{%- endfor %}
{%- endfor %}
</section>
{%- endif %}
{%- if agreed %}
<section>
<h2>Scores as published, beside ours</h2>
<p>A published score is of its own model and settings: only where these are the same can the figures be
equal.</p>
<div class="wide" tabindex="0">
{{ agreed|safe }}
</div>
</section>
{%- endif %}
{%- for title, data, table in papers %}
<section>
<h2>As published: {{ title }}</h2>
<p>{{ data }}</p>
<div class="wide" tabindex="0">
{{ table|safe }}
</div>
</section>
{%- endfor %}
<section>
<h2>Headlines, the most different first</h2>
{%- for article in articles %}
<article class="card">
<p class="quiet" dir="auto">Article {{ article.name }}: {{ article.start }}</p>
<table>
{%- if article.reference %}
<tr><th scope="row" class="sys">People</th><td class="headline" dir="auto">{{ article.reference }}</td>
<td></td></tr>
{%- endif %}
{%- for system, paint, headline, score in article.lines %}
<tr><th scope="row" class="sys" dir="auto"><span class="dot {{ paint }}"></span>{{ system }}</th>
<td class="headline" dir="auto">{{ headline }}</td><td class="number">{{ score }}</td></tr>
{%- endfor %}
</table>
</article>
{%- endfor %}
{%- if more %}
<p>{{ "{:,}".format(more) }} more articles are not listed; the table of scores holds them all.</p>
{%- endif %}
</section>
<section>
<h2>How the metrics were computed</h2>
{{ metrics|safe }}
</section>
<footer>
<p class="quiet">Comparison <code>{{ fingerprint }}</code>. <code>{{ signature }}</code>.
The same headlines and settings give this file again, byte for byte.</p>
</footer>
"""
