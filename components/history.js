// One step of the reader is one step back. Where a page is opened, Streamlit writes addresses on the way, each
// as a step of its own: the old page's without values, the new page's without values, then the new page's.
// What is written without anything done by the reader since the last step takes the place of that step.
// And where the reader left is remembered: the bare address of the app leads there on a later visit.
{
  const LAST = "headline_lab_last", LONGEST = 1500, YEAR = 31536000;
  const root = new URL(window.__streamlit.BACKEND_BASE_URL);
  const base = root.pathname.replace(/\/?$/, "/");
  let acted = false, used = false;

  const remember = () => {
    const page = location.pathname.slice(base.length);
    if (!used || page === "join" || location.search.includes("token=")) return;
    const here = page + (location.search.length < LONGEST ? location.search : "");
    document.cookie = `${LAST}=${encodeURIComponent(`/${here}`)}; Path=${base}; SameSite=Lax; Max-Age=${YEAR}`;
  };

  const last = document.cookie.match(`(?:^|; )${LAST}=%2F([^;]*)`)?.[1];
  const [opened] = performance.getEntriesByType("navigation");
  if (last && location.href === root.origin + base && opened?.type === "navigate") {
    try {
      const there = new URL(base + decodeURIComponent(last), root);
      if (there.origin === root.origin) history.replaceState(null, "", there);
    } catch { /* Another program of this computer wrote the cookie. */ }
  }
  for (const kind of ["pointerup", "click", "keydown"]) {
    addEventListener(kind, () => { acted = used = true; }, true);
  }
  addEventListener("pagehide", remember);
  const push = history.pushState, replace = history.replaceState;
  history.replaceState = (...given) => { replace.apply(history, given); remember(); };
  history.pushState = (...given) => {
    (acted ? push : replace).apply(history, given);
    acted = false;
    remember();
  };
}
