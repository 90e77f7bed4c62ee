// One step of the reader is one step back. Where a page is opened, Streamlit writes addresses on the way, each
// as a step of its own: the old page's without values, the new page's without values, then the new page's.
// What is written without anything done by the reader since the last step takes the place of that step.
// And where the reader left is remembered: the bare address of the app leads there on a later visit. So is the
// file that was open last, by its name, for a reload of a page whose address does not say it.
{
  const LAST = "headline_lab_last", OPEN = "headline_lab_file", LONGEST = 1500, YEAR = 31536000;
  const ABOUT_ONE = /^(timeline|consistency|judge)?$/; // pages about one file: without its name, about a sample
  const root = new URL(window.__streamlit.BACKEND_BASE_URL);
  const base = root.pathname.replace(/\/?$/, "/");
  let acted = false, used = false, written = 0;

  const keep = (name, value) => {
    const cookie = `${name}=${encodeURIComponent(value)}; Path=${base}; SameSite=Lax; Max-Age=${YEAR}`;
    document.cookie = cookie;
  };
  const where = () => location.pathname.slice(base.length);
  const remember = () => {
    const page = where();
    if (!used || page === "join" || location.search.includes("token=")) return;
    const here = page + (location.search.length < LONGEST ? location.search : "");
    keep(LAST, `/${here}`);
  };
  const rememberFile = () => {
    const data = new URLSearchParams(location.search).get("data");
    // An address without values may be one of those on the way.
    const about = ABOUT_ONE.test(where()) && performance.now() - written > 1000;
    if (data || (about && !location.search.includes("part=evaluate"))) keep(OPEN, data ?? "");
  };

  const last = document.cookie.match(`(?:^|; )${LAST}=%2F([^;]*)`)?.[1];
  const [opened] = performance.getEntriesByType("navigation");
  if (last && location.href === root.origin + base && opened?.type === "navigate") {
    try {
      const there = new URL(base + decodeURIComponent(last), root);
      if (there.origin === root.origin) history.replaceState(null, "", there);
    } catch { /* Another program of this computer wrote the cookie. */ }
  }
  for (const kind of ["pointerup", "click", "keydown", "change", "drop"]) {
    addEventListener(kind, () => { acted = used = true; rememberFile(); }, true);
  }
  addEventListener("pagehide", () => { remember(); rememberFile(); });
  const push = history.pushState, replace = history.replaceState;
  history.replaceState = (...given) => {
    replace.apply(history, given);
    written = performance.now();
    remember();
  };
  history.pushState = (...given) => {
    (acted ? push : replace).apply(history, given);
    acted = false;
    written = performance.now();
    remember();
  };
}
