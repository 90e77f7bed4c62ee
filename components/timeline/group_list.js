// The list of events. All text arrives as data and is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [88, 28];
const undo = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".events");
  undo.get(list)?.();
  list.setAttribute("aria-label", data.label);
  list.dataset.ends = data.ends;
  if (list.dataset.drawn !== data.drawn) {
    list.classList.remove("all");
    list.replaceChildren(...drawn(data));
    list.dataset.drawn = data.drawn;
  }
  const more = parentElement.querySelector(".more");
  more.textContent = `Show all ${data.events.length}`;
  more.onclick = () => list.classList.add("all");
  mark(list, data.events.findIndex((one) => one.group === data.chosen));

  let waiting = 0;
  const choose = (place, { patience = 0, go = false } = {}) => {
    const one = data.events[place];
    if (!one) return;
    mark(list, place);
    clearTimeout(waiting);
    // Whoever holds a key down sees where the list is, and the card of the last event.
    waiting = setTimeout(() => setTriggerValue("chosen", one.group), patience);
    if (go && innerWidth <= 640) cardInSight();
  };
  list.onclick = (event) => {
    const row = event.target.closest(".event");
    if (row) choose(rows(list).indexOf(row), { go: true });
    else fold(event.target.closest(".story"));
  };
  const step = (by) => {
    // A folded story is one step, its first event.
    const open = (row) => row.checkVisibility() || row.matches(".name + .event");
    const seen = rows(list).flatMap((row, place) => (open(row) ? [place] : []));
    const here = seen.findLastIndex((place) => place <= at(list));
    choose(seen[Math.max(0, Math.min(seen.length - 1, here + by))], { patience: 200 });
  };
  list.onkeydown = (event) => {
    const folded = { ArrowLeft: true, ArrowRight: false }[event.key];
    if (folded !== undefined) {
      event.preventDefault();
      return fold(rows(list)[at(list)]?.closest(".story"), folded);
    }
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -data.events.length, End: data.events.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  const typed = (event) => {
    const by = { j: 1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || writing(event)) return;
    step(by);
  };
  document.addEventListener("keydown", typed);
  const stop = () => {
    document.removeEventListener("keydown", typed);
    clearTimeout(waiting);
  };
  undo.set(list, stop);
  return stop;
}

function rows(list) {
  return [...list.querySelectorAll(".event")];
}

function at(list) {
  return rows(list).findIndex((row) => row.getAttribute("aria-selected") === "true");
}

function fold(story, folded) {
  story?.classList.toggle("folded", folded);
}

function mark(list, place) {
  rows(list).forEach((row, number) => row.setAttribute("aria-selected", String(number === place)));
  const row = rows(list)[place];
  if (!row) return list.removeAttribute("aria-activedescendant");
  list.setAttribute("aria-activedescendant", row.id);
  if (!list.checkVisibility()) return; // a phone shows the card alone
  // Only the list itself is scrolled, never the page.
  if (!row.checkVisibility() && !row.closest(".folded")) list.classList.add("all");
  const shown = row.checkVisibility() ? row : row.closest(".story");
  const above = shown.offsetTop - 24; // what the little axes reach from stays over it
  if (above < list.scrollTop) list.scrollTop = above;
  const below = shown.offsetTop + shown.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}

function writing(event) {
  const target = event.composedPath()[0];
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

function cardInSight() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector(".st-key-event-card")?.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Events of one story stand together, below its name.
function drawn(data) {
  const found = [];
  const opened = new Map();
  for (const one of data.events) {
    const story = data.stories[one.story];
    if (!story) {
      found.push(eventOf(one));
      continue;
    }
    if (!opened.has(one.story)) {
      const made = element("div", "story");
      made.setAttribute("role", "group");
      made.setAttribute("aria-label", `Story: ${story.title}, ${story.facts}`);
      const name = element("div", "name", story.title);
      name.dir = "auto";
      name.append(element("span", "facts", story.facts));
      made.append(name);
      opened.set(one.story, made);
      found.push(made);
    }
    opened.get(one.story).append(eventOf(one));
  }
  return found;
}

function eventOf(one) {
  const row = element("div", "event");
  row.id = `event-${one.group}`;
  row.setAttribute("role", "option");
  row.style.setProperty("--colour", one.colour);
  const words = element("div", "words");
  const title = element("div", "title", one.title);
  title.dir = "auto";
  // A day breaks between its parts only where it has to.
  const facts = element("div", "facts");
  facts.append(...one.facts.split(" · ").flatMap((part, at) => [" ", element("span", "", at ? `· ${part}` : part)]));
  if (one.trend) facts.append(element("span", "trend", one.trend));
  words.append(title, facts);
  row.append(element("span", "bar"), words);
  if (one.counts.length) row.append(sparkline(one.counts));
  return row;
}

function sparkline(counts) {
  const most = Math.max(...counts);
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  drawn.setAttribute("preserveAspectRatio", "none");
  drawn.setAttribute("aria-hidden", "true");
  const ground = document.createElementNS(SVG, "line");
  for (const [name, value] of Object.entries({ x1: 0, x2: WIDTH, y1: HEIGHT - 0.5, y2: HEIGHT - 0.5 })) {
    ground.setAttribute(name, value);
  }
  drawn.append(ground);
  const wide = WIDTH / counts.length;
  counts.forEach((count, place) => {
    if (!count) return;
    const high = Math.max(3, (count / most) * (HEIGHT - 2));
    const bar = document.createElementNS(SVG, "rect");
    const box = { x: place * wide, y: HEIGHT - high, width: wide - 0.75, height: high };
    for (const [name, value] of Object.entries(box)) bar.setAttribute(name, value);
    drawn.append(bar);
  });
  return drawn;
}
