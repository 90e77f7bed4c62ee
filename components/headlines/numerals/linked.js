// Draws an article and a headline whose numerals are joined by lines. All text arrives as data and is only
// ever set as text, so that nothing in it is read as HTML.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12; // pixels of the article's box at its side that hold no word, and a line enters
const undo = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".linked");
  const focused = parentElement.activeElement?.dataset?.place;
  undo.get(root)?.();

  const article = articleOf(data);
  const headline = headlineOf(data, setTriggerValue);
  const legend = element("div", "legend", ...data.legend.map(wordOf), element("p", "", data.hint));
  const read = element("div", "", article, legend);
  const halves = element("div", "halves", read, element("div", "said", headline, verdictOf(data, setTriggerValue)));
  const lines = document.createElementNS(SVG, "svg");
  lines.setAttribute("aria-hidden", "true");
  root.replaceChildren(halves, lines);
  if (focused !== undefined) headline.querySelector(`[data-place="${focused}"]`)?.focus();
  show(article);

  const draw = () => join(root, lines, article, headline, data.links);
  const observer = new ResizeObserver(draw);
  observer.observe(root);
  observer.observe(article);
  article.addEventListener("scroll", draw);
  document.fonts?.ready.then(draw);
  draw();
  const stop = () => observer.disconnect();
  undo.set(root, stop);
  return stop;
}

// The badges of a text stay in the line of its last word.
function badged(text, badges) {
  const last = text.lastIndexOf(" ") + 1;
  return [text.slice(0, last), element("span", "end", text.slice(last), ...badges.map((badge) => element("sup", "", badge)))];
}

function articleOf(data) {
  const box = element("div", "article");
  box.dir = "auto";
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "The article");
  box.append(...data.article.map(markOf));
  return box;
}

function markOf(piece) {
  if (piece.numeral === null) return piece.text;
  const mark = element("mark", piece.light ?? "faint", ...badged(piece.text, piece.badges));
  mark.dataset.numeral = piece.numeral;
  mark.title = piece.told;
  if (piece.light !== null) {
    mark.style.setProperty("--light", piece.colour);
    mark.classList.toggle("chosen", piece.chosen);
    mark.classList.toggle("rival", piece.rival);
  }
  return mark;
}

function headlineOf(data, set) {
  const line = element("p");
  line.dir = "auto";
  for (const piece of data.headline) {
    if (piece.place === null) {
      line.append(piece.text);
      continue;
    }
    const press = () => set("chosen", piece.place);
    const button = buttonOf(piece.light, piece.told, press, ...badged(piece.text, [piece.badge]));
    button.dataset.place = piece.place;
    button.style.setProperty("--light", piece.colour);
    button.setAttribute("aria-pressed", String(piece.chosen));
    line.append(button);
  }
  return element("div", "headline", line);
}

// The verdict on the number that is chosen, why, what can be done, and what the headline's numbers are by count.
function verdictOf({ counted, verdict }, set) {
  const box = element("div", "verdict");
  if (verdict) {
    const heading = element("h2", "", element("span", "sign", verdict.sign), verdict.word);
    heading.style.setProperty("--light", verdict.colour);
    heading.firstChild.setAttribute("aria-hidden", "true");
    box.append(heading, element("p", "", verdict.reason));
    verdict.evidence.forEach(({ lead, pieces }, at) => {
      const said = lead === verdict.evidence[at - 1]?.lead ? [] : [element("span", "", lead)]; // once for several lines
      box.append(element("blockquote", "", ...said, ...pieces.map(markOf)));
      box.lastChild.dir = "auto";
    });
    const actions = verdict.actions.map(({ event, label, told }) => buttonOf("", told, () => set(event, true), label));
    if (actions.length) box.append(element("div", "actions", ...actions));
    box.append(element("p", "counted", `${verdict.sure} ${verdict.measured}`));
  }
  if (counted) box.append(element("p", "counted", counted));
  return box;
}

function wordOf(look) {
  const item = element("span", "", element("span", `word ${look.light}`, ...badged(look.word, [look.sign])));
  item.style.setProperty("--light", look.colour);
  return item;
}

// Brings what was chosen into the article's box, without moving the page.
function show(article) {
  const mark = article.querySelector("mark.chosen");
  if (!mark) return;
  const top = mark.offsetTop - article.offsetTop;
  if (top < article.scrollTop || top + mark.offsetHeight > article.scrollTop + article.clientHeight) {
    article.scrollTop = Math.max(0, top - article.clientHeight / 3);
  }
}

// Lines lead from the edge of the headline, level with a number, into the margin of the article's box, level with its
// mark, and cross no word; where the article stands below, the letters at both marks say as much.
function join(root, lines, article, headline, links) {
  const frame = root.getBoundingClientRect();
  const box = article.getBoundingClientRect();
  const line = headline.getBoundingClientRect();
  lines.replaceChildren();
  if (box.top >= line.bottom) return;
  for (const link of links) {
    const from = last(headline.querySelector(`[data-place="${link.place}"]`));
    const to = last(article.querySelector(`[data-numeral="${link.numeral}"]`));
    if (!from || !to) continue;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", route(from, to, box, line, frame));
    path.setAttribute("class", `${link.role} ${link.chosen ? "chosen" : ""}`);
    path.style.setProperty("--light", link.colour);
    lines.append(path);
  }
}

function last(marked) {
  return marked && [...marked.getClientRects()].at(-1);
}

function route(from, to, box, line, frame) {
  const [left, right] = [box.right - frame.left, line.left - frame.left];
  const [y1, middle] = [from, to].map((mark) => (mark.top + mark.bottom) / 2 - frame.top);
  const y2 = Math.min(Math.max(middle, box.top - frame.top), box.bottom - frame.top);
  const bend = (right - left) / 2;
  return `M${right},${y1} C${right - bend},${y1} ${left + bend},${y2} ${left},${y2} h${-MARGIN}`;
}
