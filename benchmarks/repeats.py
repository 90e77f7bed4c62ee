"""What blocking repeated words in the search does to what the networks write, on the held-out NumHG articles.

Shares of headlines in which a word is the next after itself or a word of more than three letters stands
twice: as the networks wrote before, and with the block (`once`, the default). Differences of the mean of
ROUGE-1, -2 and -L and of numeral accuracy, in points, with 95 % intervals over the articles. The block was
set before these articles were read.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.headlines import LIMITS
from core.data.articles.outputs import Outputs
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import duels
from core.headlines.generator import Wishes, headline_generators
from core.runtime import Runtime, detect_device
from research.benchmark.headlines.run import find_set, open_set
from research.neural.search import SHORT
from research.neural.words import is_word, split

NETWORKS: Final = (
    *("s2s", "pointer", "pointer_coverage", "pointer_grammemes"),
    *("copynet", "transformer", "phrase_transformer"),
)
DIFFERENCES: Final = ("rouge_mean", "numeral_accuracy")


def run() -> dict[str, Any]:
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=LIMITS["numhg"], seed=runtime.seed).articles
    rows: list[dict[str, Any]] = [
        {"network": "headlines by people", "repeats": _share([one[0] for one in articles.references])}
    ]
    for name in NETWORKS:
        outputs = []
        for once in ("false", "true"):
            writer = headline_generators.parse(f"{name}|once:{once}").build(runtime)
            written = writer.write(articles.texts, Wishes(), runtime)
            outputs.append(
                Outputs(system=once, headlines=tuple(found[0].text for found in written), source=name)
            )
        compared = compare(articles, outputs, ("rouge", "numeral_accuracy"), runtime, language="en")
        differences = {
            one.key: one.difference for one in duels(compared, "true", "false") if one.key in DIFFERENCES
        }
        rows.append(
            {
                "network": name,
                "repeats": _share(outputs[0].headlines),
                "repeats_blocked": _share(outputs[1].headlines),
                **{
                    f"difference_in_{key}": (
                        f"{100 * one.value:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"
                    )
                    for key, one in differences.items()
                },
            }
        )
    return {"benchmark": "repeated words", "rows": rows, "articles": len(articles), "seed": runtime.seed}


def _share(headlines: Any) -> str:
    return f"{sum(map(_repeats, headlines)) / len(headlines):.1%}"


def _repeats(headline: str) -> bool:
    words = [form for form in split(headline, language="en").forms if is_word(form)]
    longer = [form for form in words if form.isalpha() and len(form) > SHORT]
    return len(set(longer)) < len(longer) or any(map(str.__eq__, words, words[1:]))
