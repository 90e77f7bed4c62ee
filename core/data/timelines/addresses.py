"""Addresses of articles: one in all its spellings, and which address is no article's."""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from core.files import read_tables
from core.text import normalise, tokens, visits

_TABLES: Final = read_tables(__file__)
WEB_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_SCHEME: Final = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_OTHER_SCHEME: Final = re.compile(r"[a-z][a-z+.-]*:(?!\d)", re.IGNORECASE)
_HOST: Final = re.compile(r"(?:[\w-]+\.)+[^\W\d_][\w-]+(?::\d+)?")
_MOBILE: Final = re.compile(r"(?:(?:www|m|mobile|amp)\d?\.)+(?=[^.]+\.)")
_CACHED: Final = re.compile(  # a copy for phones on somebody else's host
    r"(?:www\.)?google\.[\w.]+/amp/s?/?(?:s/)?|[\w-]+\.(?:cdn\.ampproject\.org|bing-amp\.com)/[acvi]/(?:s/)?",
    re.IGNORECASE,
)
_REDIRECT: Final = re.compile(
    r"https?://(?:www\.google\.[\w.]+/url|lm?\.facebook\.com/l\.php|[\w.-]+\.safelinks\.protection\.outlook\.com/)\?",
    re.IGNORECASE,
)
_LAYOUT: Final = re.compile(
    r"^/amp(?=/)|/amp(?=\.html?$)|/amp$|\.amp(?=\.html?$|$)"
    r"|(?:/amp)?/index(?:\.amp)?\.(?:s?html?|php|amp)$"
)
_FRONTS: Final = frozenset(tokens.word_list(_TABLES["fronts"]))
_RUNNING: Final = re.compile(_TABLES["running"], re.IGNORECASE)
_AGGREGATORS: Final = frozenset(_TABLES["aggregators"].split())
_PASSED_ON_BY: Final = frozenset(_TABLES["passed_on_by"].splitlines())
_OF_PROGRAMS: Final = re.compile(_TABLES["of_programs"], re.IGNORECASE)
_FEED_HOST: Final = re.compile(r"(?:rss|feeds?)\.")
_SLUG: Final = 2  # hyphens from which the end of a path has words of a headline


class Address(NamedTuple):
    host: str  # in small letters, without "www." and its like; "" for what is no web address
    path: str  # without a slash at its end
    query: str  # parameters that say which article is meant, in order


NOWHERE: Final = Address("", "", "")


def behind_redirect(url: str) -> str:
    """The address that an alert's, a mail's or a network's own address leads to."""
    if not _REDIRECT.match(url):
        return url
    wanted = parse_qs(urlsplit(url).query)
    return next(
        (one for name in ("url", "q", "u") for one in wanted.get(name, ()) if one.startswith("http")), url
    )


@lru_cache(maxsize=65_536)
def read_address(url: str) -> Address:
    """An address without what does not say which article it is: scheme, visitors, fragment, layout."""
    bare = behind_redirect(url.strip().strip("<>"))
    if not (scheme := _SCHEME.match(bare)) and (_OTHER_SCHEME.match(bare) or normalise.is_missing(bare)):
        return NOWHERE
    bare = bare[scheme.end() :] if scheme else bare
    if cached := _CACHED.match(bare):
        bare = bare[cached.end() :]
    whole, _, query = bare.partition("#")[0].partition("?")
    host, slash, path = whole.partition("/")
    host = re.sub(r":(?:80|443)$", "", host.rpartition("@")[2].casefold().rstrip("."))
    if not _HOST.fullmatch(host):
        return NOWHERE
    path = _LAYOUT.sub("", unquote(slash + path).rstrip("/")).rstrip("/")
    site = _MOBILE.sub("", host, count=1)
    first, slash, rest = path[1:].partition("/")
    if rest and "amp" in host.removesuffix(site) and first.casefold() in {*site.split(".")[:-1]} - _FRONTS:
        path = slash + rest  # amp.alpha.com/alpha/news/dam
    kept = [part for part in parse_qsl(query, keep_blank_values=True) if not visits.VISITS.fullmatch(part[0])]
    return Address(site, path, urlencode(sorted(kept), errors="surrogatepass"))


def is_address(text: str) -> bool:
    return bool(read_address(text).host)


def is_whole_address(text: str) -> bool:
    return WEB_ADDRESS.fullmatch(text) is not None


def passes_on(outlet: str) -> bool:
    """Whether a name or host is that of a program which passes on what outlets wrote: news.google.com."""
    name = outlet.strip().casefold()
    host = (read_address(name).host if "." in name else "").partition(":")[0].split(".")
    return name.rpartition(" - ")[2] in _PASSED_ON_BY or any(
        ".".join(host[at:]) in _AGGREGATORS for at in range(len(host) - 1)
    )


def is_for_programs(url: str) -> bool:
    """Whether an address leads to what a program answers, and to no page."""
    return _OF_PROGRAMS.match(url.strip()) is not None


def names_article(address: Address) -> bool:
    """Whether an address may be one article's: it is no front page, section, feed or running page."""
    host, path, query = address
    words = [word for word in re.split(r"[/.]", path.casefold()) if word]
    feed = _FEED_HOST.match(host) and "~" not in path
    return bool(host) and not (feed or _RUNNING.search(path) or (not query and _FRONTS.issuperset(words)))


def may_be_section(address: Address) -> bool:
    """Whether nothing in an article's address says which one: no number, no words of a headline."""
    last = address.path.rpartition("/")[2]
    return not (address.query or re.search(r"\d", address.path) or last.count("-") >= _SLUG)
