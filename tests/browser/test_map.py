"""The map: names that can be read."""

from itertools import combinations

import pytest

from tests.browser.steps import opened

pytestmark = pytest.mark.browser

_NAMES = """() => [...document.querySelectorAll('.st-key-headline-map .annotation')]
  .filter((one) => getComputedStyle(one).display !== 'none')
  .map((one) => {
    const text = one.querySelector('text');
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const looks = getComputedStyle(text);
    const halo = looks.paintOrder.startsWith('stroke') && looks.stroke !== 'none';
    return { left, right, top, bottom, halo };
  })"""

_CUT = """() => {
  const picture = document.querySelector('.st-key-headline-map .main-svg').getBoundingClientRect();
  return [...document.querySelectorAll('.st-key-headline-map .legendtext')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > picture.right || box.bottom > picture.bottom;
    })
    .map((one) => one.textContent);
}"""


def test_names_have_halos_and_do_not_cover_one_another(page, app_url):
    opened(page, f"{app_url}/?show=map", "Timeline")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(600)
        names = page.evaluate(_NAMES)
        assert len(names) >= (5 if width == 390 else 7)
        assert all(name["halo"] for name in names)
        for name, other in combinations(names, 2):
            beside = name["right"] <= other["left"] or other["right"] <= name["left"]
            over = name["bottom"] <= other["top"] + 2 or other["bottom"] <= name["top"] + 2
            assert beside or over, (width, name, other)
        assert all(name["left"] >= 0 and name["right"] <= width for name in names)
        assert page.evaluate(_CUT) == []
