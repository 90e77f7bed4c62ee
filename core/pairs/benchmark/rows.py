"""The rows of the benchmark: every system of the HLGD paper's table, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import UnknownNameError
from core.pairs.scorer import Need, PairScorer, pair_scorers
from core.pairs.scorers.wrappers import Wrapper


class Pace(StrEnum):
    """How many pairs a second a row scores on two cores, roughly; it decides how many it is given."""

    FAST = "fast"  # thousands
    NETWORK = "network"  # hundreds: one pass of a small network a pair
    LANGUAGE_MODEL = "language model"  # a few: passes of a language model a pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the table.

    Attributes:
        key: Short name, as `--scorer` takes it.
        name: Name for people; the paper's where it has one. Where other weights than the paper's run
            here it says so: "MiniLM twin of …".
        scorer: Signature of the scorer; parameters that are left out take their defaults. "" for one answer
            to every pair.
        challenge: 1 headlines only, 2 also dates, 3 also anything else.
        supervised: Its parameters were fitted to labelled pairs of news; then its threshold is chosen on
            validation pairs, because training pairs flatter it.
        in_paper: It is a system of the paper.
        published_validation: F1 on HLGD's dev part as published; None where the paper gives none.
        published_test: F1 on its test part as published.
        published_note: What else the paper says of it.
        languages: ISO 639-1 codes of what it reads; empty for any.
        dates: It makes no sense on pairs without dates, though its scorer would run.
        pace: Roughly how quick it is.
    """

    key: str
    name: str
    scorer: str
    challenge: int
    supervised: bool = False
    in_paper: bool = False
    published_validation: float | None = None
    published_test: float | None = None
    published_note: str = ""
    languages: tuple[str, ...] = ()
    dates: bool = False
    pace: Pace = Pace.FAST


HUMAN = "human"
"""Key of the row of people."""
ALWAYS_YES = "always_yes"
MOST_FREQUENT = "most_frequent"
"""Keys of the rows that answer every pair alike."""

ENGLISH = ("en",)
_TIME = "with_time|base:({})"
_SYMMETRIC = "symmetric|base:({})"

# Published figures: Laban et al. 2021, table 3; the note on Levenshtein: section 3.5; the one on eq. 5:
# section 5.1.
PAPER: tuple[Row, ...] = (
    Row(
        key=HUMAN,
        name="Human performance",
        scorer="annotators",
        challenge=3,
        in_paper=True,
        published_validation=0.884,
        published_test=0.900,
    ),
    Row(
        key="time_only",
        name="Time only",
        scorer="time_only",
        challenge=2,
        in_paper=True,
        published_validation=0.654,
        published_test=0.585,
    ),
    Row(
        key="levenshtein",
        name="Levenshtein ratio",
        scorer="levenshtein",
        challenge=1,
        in_paper=True,
        published_note="0.485 on HLGD and 0.81 on MRPC (section 3.5, part not stated)",
    ),
    Row(
        key="mrpc_zero_shot",
        name="MiniLM twin of Electra MRPC zero-shot",
        scorer="mrpc_zero_shot",
        challenge=1,
        in_paper=True,
        published_validation=0.562,
        published_test=0.626,
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="mrpc_zero_shot_time",
        name="MiniLM twin of Electra MRPC zero-shot + Time",
        scorer=_TIME.format("mrpc_zero_shot"),
        challenge=2,
        in_paper=True,
        published_validation=0.666,
        published_test=0.688,
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="headline_swap",
        name="SmolLM2 twin of headline generator swap",
        scorer="headline_swap",
        challenge=3,
        in_paper=True,
        published_validation=0.671,
        published_test=0.651,
        languages=ENGLISH,
        pace=Pace.LANGUAGE_MODEL,
    ),
    Row(
        key="headline_swap_time",
        name="SmolLM2 twin of headline generator swap + Time",
        scorer=_TIME.format("headline_swap"),
        challenge=3,
        in_paper=True,
        published_validation=0.727,
        published_test=0.722,
        languages=ENGLISH,
        pace=Pace.LANGUAGE_MODEL,
    ),
    Row(
        key="finetuned",
        name="MiniLM twin of Electra fine-tuned on headlines",
        scorer="finetuned",
        challenge=1,
        supervised=True,
        in_paper=True,
        published_validation=0.728,
        published_test=0.796,
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="finetuned_content",
        name="MiniLM twin of Electra fine-tuned on content",
        scorer="finetuned_content",
        challenge=3,
        supervised=True,
        in_paper=True,
        published_validation=0.652,
        published_test=0.723,
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="finetuned_time",
        name="MiniLM twin of Electra fine-tuned + Time",
        scorer="finetuned_time",
        challenge=2,
        supervised=True,
        in_paper=True,
        published_validation=0.753,
        published_test=0.828,
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="finetuned_day_prefix",
        name="MiniLM twin of Electra fine-tuned, days as a prefix",
        scorer="finetuned_day_prefix",
        challenge=2,
        supervised=True,
        in_paper=True,
        published_note="the input of the released checkpoint; the table has no row of it",
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="finetuned_symmetric",
        name="MiniLM twin of Electra fine-tuned, both orders (eq. 5)",
        scorer=_SYMMETRIC.format("finetuned"),
        challenge=1,
        supervised=True,
        in_paper=True,
        published_note="about 0.01 more than without (section 5.1)",
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
    Row(
        key="finetuned_time_symmetric",
        name="MiniLM twin of Electra fine-tuned + Time, both orders (eq. 5)",
        scorer=_SYMMETRIC.format("finetuned_time"),
        challenge=2,
        supervised=True,
        in_paper=True,
        published_note="about 0.01 more than without (section 5.1)",
        languages=ENGLISH,
        pace=Pace.NETWORK,
    ),
)

CONSTANT: tuple[Row, ...] = (
    Row(key=ALWAYS_YES, name="Always yes", scorer="", challenge=1),
    Row(key=MOST_FREQUENT, name="Most frequent answer", scorer="", challenge=1),
)
"""Rows without a scorer, in every table: a figure says something only as far as it is above theirs."""

OURS: tuple[Row, ...] = (
    Row(
        key="levenshtein_time",
        name="Levenshtein ratio + Time",
        scorer=_TIME.format("levenshtein"),
        challenge=2,
    ),
    Row(key="token_overlap", name="Token overlap", scorer="token_overlap", challenge=1),
    Row(key="char_overlap", name="Character overlap", scorer="char_overlap", challenge=1),
    Row(key="tfidf", name="TF-IDF", scorer="tfidf", challenge=1),
    Row(key="lsa", name="LSA", scorer="lsa", challenge=1),
    Row(
        key="static_embeddings",
        name="Static embeddings",
        scorer="static_embeddings",
        challenge=1,
        languages=ENGLISH,
    ),
    Row(key="cosine", name="Bi-encoder cosine", scorer="cosine", challenge=1),
    Row(key="cosine_time", name="Bi-encoder cosine + Time", scorer="cosine_time", challenge=2, dates=True),
    Row(key="event_similarity", name="Event similarity", scorer="event_similarity", challenge=2),
    Row(
        key="event_blend",
        name="Event blend (ships, learned)",
        scorer="event_blend",
        challenge=2,
        supervised=True,
    ),
    Row(
        key="pair_classifier",
        name="MiniLM twin of the BERT pair classifier",
        scorer="pair_classifier",
        challenge=1,
        supervised=True,
        pace=Pace.NETWORK,
    ),
    Row(
        key="siamese",
        name="Siamese sentence encoder",
        scorer="siamese",
        challenge=1,
        supervised=True,
    ),
    Row(
        key="catboost_pairs",
        name="CatBoost over embeddings and features",
        scorer="catboost_pairs",
        challenge=2,
        supervised=True,
    ),
    Row(
        key="perplexity",
        name="Language-model perplexity (SmolLM2)",
        scorer="perplexity",
        challenge=1,
        languages=ENGLISH,
        pace=Pace.LANGUAGE_MODEL,
    ),
)

ROWS: tuple[Row, ...] = PAPER + CONSTANT + OURS
"""The rows with a name of their own, the paper's first."""


def rows() -> tuple[Row, ...]:
    """All rows: `ROWS`, and one for each registered scorer that none of them is about.

    A scorer around another (`symmetric`, `with_time` …) is no system by itself and gets none.
    """
    about = {_innermost(one.scorer) for one in ROWS if one.scorer}
    names = dict.fromkeys(name.rpartition(".v")[0] for name in pair_scorers.names())
    new = [name for name in names if name not in about and not issubclass(pair_scorers.get(name), Wrapper)]
    return (*ROWS, *(_made(pair_scorers.parse(name), key=name) for name in new))


def row(key: str) -> Row:
    """The row of a key; a scorer's signature that no row has becomes a row of its own.

    Raises:
        UnknownNameError: Neither a row nor a scorer.
        InputError: The signature cannot be read.
    """
    known = rows()
    for one in known:
        if one.key == key:
            return one
    try:
        recipe = pair_scorers.parse(key)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"There is no row and no pair scorer called {key[:120]!r}.",
            hint=" ".join(
                [
                    *pair_scorers.left_out().values(),
                    f"Choose one of: {', '.join(one.key for one in known)}; or give a scorer's signature.",
                ]
            ),
        ) from error
    return _made(recipe, key=pair_scorers.signature(recipe))


def _made(recipe: PairScorer, *, key: str) -> Row:
    """A row for a scorer that has none."""
    needs = recipe.needs
    challenge = 3 if Need.BODIES in needs else 2 if Need.DATES in needs else 1
    # Another model or parameter of a known scorer learns as that one does, and takes as long.
    alike = [one for one in ROWS if one.scorer and _innermost(one.scorer) == _innermost(key)]
    return Row(
        key=key,
        name=_named(key),
        scorer=key,
        challenge=challenge,
        supervised=any(one.supervised for one in alike),
        pace=alike[0].pace if alike else Pace.NETWORK,
    )


def _innermost(signature: str) -> str:
    """Bare name of a scorer, or of the one at the heart of a wrapper."""
    recipe = pair_scorers.parse(signature)
    while isinstance(recipe, Wrapper):
        recipe = recipe.inner
    return pair_scorers.name_of(recipe).rpartition(".v")[0]


def _named(signature: str) -> str:
    """A row's name for people: a bare name in words, or for a trained model the folder of its run."""
    if "|" not in signature:
        return signature.replace("_", " ").capitalize()
    recipe = pair_scorers.parse(signature)
    model = Path(str(getattr(recipe, "model", "")))
    if isinstance(recipe, Wrapper) or not model.is_dir():
        return signature
    run = model.parent if model.name == "model" else model
    words = pair_scorers.name_of(recipe).rpartition(".v")[0].replace("_", " ").capitalize()
    return f"{words}, trained as {run.name}"
