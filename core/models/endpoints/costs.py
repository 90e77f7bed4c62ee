"""What asking a language model costs: before, by an estimate; after, as its server counts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from core import limits
from core.models.endpoints.addresses import Endpoint
from core.results.render import count_words
from core.runtime import Runtime

QUESTIONS, SENT, RECEIVED = "questions", "sent", "received"
BYTES: Final = 4  # of a token, about, in any language
_MILLION: Final = 1_000_000


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return len(text.encode(errors="replace")) // BYTES + 1


def before(endpoint: Endpoint, asked: Iterable[str], longest: int, *, times: float = 1.0) -> str:
    """What it is likely to cost to ask so many questions, `times` over, with answers of `longest` tokens."""
    sizes = [tokens_of(text) for text in asked]
    if endpoint.context:
        sizes = [min(size, endpoint.context) for size in sizes]
    questions, sent = round(len(sizes) * times), round(sum(sizes) * times)
    received = questions * longest
    said = f"{count_words(questions, 'question', 'questions')}: about {sent:,} tokens are sent, at most "
    money = _money(endpoint, sent, received)
    return f"{said}{received:,} come back{f'; about {_written(money, endpoint.currency)}' if money else ''}."


def spend(runtime: Runtime, endpoint: Endpoint, sent: int, received: int) -> None:
    """Adds an answer to what the run cost."""
    runtime.spent.update(total([runtime.spent, of_answer(endpoint, sent, received)]))


def of_answer(endpoint: Endpoint, sent: int, received: int) -> dict[str, float]:
    money = {endpoint.currency: _money(endpoint, sent, received)}
    return {QUESTIONS: 1, SENT: sent, RECEIVED: received} | money


def total(costs: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Sums by name; of `Runtime.used`, what a result cost, whenever it was paid."""
    whole = Counter[str]()
    for each in costs:
        whole.update(each)
    return dict(whole)


def exhausted(runtime: Runtime, endpoint: Endpoint) -> tuple[str, str] | None:
    """Which budget of the run is spent, and how it is raised; None while none is."""
    spent, tokens = runtime.spent, limits.ENDPOINT_TOKENS
    if spent.get(SENT, 0) + spent.get(RECEIVED, 0) >= tokens.value:
        return f"{tokens.value:,} tokens", f"raise {tokens.variable}"
    if 0 < endpoint.budget <= spent.get(endpoint.currency, 0):
        return _written(endpoint.budget, endpoint.currency), "raise it in endpoints.json"
    return None


def after(spent: Mapping[str, float]) -> str:
    """What a run cost, by `Runtime.spent`, a sentence; "" where no model was asked."""
    if not spent:
        return ""
    money = [_written(amount, name) for name, amount in spent.items() if name.isupper() and amount]
    questions = count_words(int(spent[QUESTIONS]), "question was", "questions were")
    tokens = f"{int(spent[SENT]):,} tokens sent", f"{int(spent[RECEIVED]):,} received"
    return f"{questions} answered: {', '.join([*tokens, *money])}."


def _money(endpoint: Endpoint, sent: int, received: int) -> float:
    return (sent * endpoint.price_in + received * endpoint.price_out) / _MILLION


def _written(money: float, currency: str) -> str:
    return f"{money:,.4f} {currency}"
