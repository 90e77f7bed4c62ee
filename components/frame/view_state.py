"""The values of a view: plain, kept in the session, and some of them in the address."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

import streamlit as st

from components.frame.controlled import controlled, show
from components.frame.links import REFUSED, Link, names_by_link, refuse_link

Part = tuple["ViewState[Any]", Collection[str]]
"""A view, and the names of its fields that stand in a page's address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The values of one view; its fields are plain, since the session outlives this module."""

    def checked(self) -> Self:
        """The view as it may be used, where the values of a link do not go together."""
        return self


V = TypeVar("V", bound=PageView)


class ViewState(Generic[V]):
    known: ClassVar[dict[str, "ViewState[Any]"]] = {}  # all of the app, by their key

    def __init__(self, view: type[V], *, stays: Collection[str] = ()) -> None:
        self._view = view
        self._stays = stays  # names of what the reader brought, which no new view of it takes away
        self._key = f"state_{view.__name__}"
        self.known[self._key] = self
        linked_fields = (each for each in fields(view) if "link" in each.metadata)
        self.links: Final[Mapping[str, Link]] = {each.name: each.metadata["link"] for each in linked_fields}

    def now(self) -> V:
        if self._key not in st.session_state:
            self._keep(self._of_address(self.links, self._view()))
        return self._view(**st.session_state[self._key])

    def put(self, **changes: Any) -> None:
        self._keep(replace(self.now(), **changes))
        names_by_link().difference_update(self.links[name].name for name in changes if name in self.links)

    def reset(self, *names: str) -> None:
        """Sets some values, or all but those that stay, to what they are before anybody chose."""
        start = asdict(self._view())
        self.put(**{name: start[name] for name in names or self.everything()})

    def everything(self) -> dict[str, Any]:
        """What is shown, to come back to later."""
        return {name: value for name, value in asdict(self.now()).items() if name not in self._stays}

    def widget(self, name: str, key: str) -> dict[str, Any]:
        """Key and callback of a widget that shows one value and changes it: see `controlled`."""
        return controlled(key, getattr(self.now(), name), lambda chosen: self.put(**{name: chosen}))

    def show(self, name: str, words: Mapping[str, str], key: str) -> str:
        """Draws the choice among words of the address for one value; gives the word in force."""
        return show(words, getattr(self.now(), name), lambda word: self.put(**{name: word}), key=key)

    def part(self, *names: str) -> Part:
        return self, names or self.links

    def adopt(self, names: Collection[str]) -> None:
        """Takes values from the address as it is now; what it lacks gets its default."""
        self._keep(self._of_address(names, self.now()))

    def address(self, names: Collection[str]) -> dict[str, str]:
        """Query parameters of some values; defaults are left out, to keep links short."""
        start, here = self._view(), self.now()
        changed = [name for name in names if getattr(here, name) != getattr(start, name)]
        written = {self.links[name].name: self.links[name].write(getattr(here, name)) for name in changed}
        return {name: value for name, value in written.items() if value}

    def _of_address(self, names: Collection[str], before: V) -> V:
        start, values = self._view(), asdict(before)
        for name in names:
            values[name], link = getattr(start, name), self.links[name]
            given = st.query_params.get(link.name)
            if given is not None:
                try:
                    values[name] = link.read(given)
                    names_by_link().add(link.name)
                    # Views of several pages may have a value of one name; it is for one of them.
                    st.session_state.get(REFUSED, {}).pop(link.name, None)
                except ValueError:
                    if link.name not in names_by_link():
                        refuse_link(link.name, given, link.wants)
        read = self._view(**values)
        checked = read.checked()
        for name in names:
            if getattr(read, name) != getattr(checked, name):
                link = self.links[name]
                refuse_link(link.name, link.write(getattr(read, name)), "usable with the rest of the link")
        return checked

    def _keep(self, view: V) -> None:
        st.session_state[self._key] = asdict(view)
