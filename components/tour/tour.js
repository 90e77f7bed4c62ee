// Brings what a stop of the tour speaks of into view, once for each stop, as soon as it is drawn; never
// against a reader who scrolls.

const PATIENCE = 20000;
const EVERY = 150;
let shown = null;

const look = (data) => data.look && document.querySelector(`[class*="st-key-${data.look}"]`);

function outline(found) {
  document.querySelectorAll("[data-tour]").forEach((each) => delete each.dataset.tour);
  if (found) found.dataset.tour = "";
}

export default function ({ data }) {
  // What is scrolled past must not shine through; the colour of the page has no name outside Streamlit.
  const box = document.querySelector(".st-key-tour");
  const app = document.querySelector('[data-testid="stApp"]');
  if (box && app) box.style.backgroundColor = getComputedStyle(app).backgroundColor;
  outline(look(data));
  if (shown === data.step) return;
  shown = data.step;
  const main = document.querySelector('[data-testid="stMain"]');
  main?.scrollTo({ top: 0 });
  if (!data.look) return;
  const began = performance.now();
  const own = () => stop();
  let top = null;
  const timer = setInterval(() => {
    const found = look(data);
    const callout = document.querySelector(".st-key-tour");
    if (performance.now() - began > PATIENCE) return stop();
    if (!found || !callout || !found.offsetHeight) return;
    // What stands above may still grow: it is settled when it was in the same place twice.
    const now = found.getBoundingClientRect().top + main.scrollTop;
    if (now !== top) {
      top = now;
      return;
    }
    stop();
    outline(found);
    const onTop = getComputedStyle(callout.parentElement).position === "sticky" ? callout.offsetHeight : 0;
    const header = document.querySelector('[data-testid="stHeader"]')?.offsetHeight ?? 0;
    main.scrollTo({ top: now - main.getBoundingClientRect().top - header - onTop - 12 });
  }, EVERY);
  const stop = () => {
    clearInterval(timer);
    for (const each of ["wheel", "touchmove", "keydown"]) window.removeEventListener(each, own);
  };
  for (const each of ["wheel", "touchmove", "keydown"]) window.addEventListener(each, own, { passive: true });
  return stop;
}
