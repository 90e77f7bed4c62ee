// Draws an article, or a headline with its verdict, whose numerals are joined by letters. All text arrives as data and is only
// ever set as text, so that nothing in it is read as HTML.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".linked");
  const focused = parentElement.activeElement?.dataset?.place;

  if (data.article) {
    const article = articleOf(data);
    root.replaceChildren(article, element("div", "legend", ...data.legend.map(wordOf), element("p", "", data.hint)));
    return show(article);
  }
  const headline = headlineOf(data, setTriggerValue);
  root.replaceChildren(element("div", "said", headline, verdictOf(data, setTriggerValue)));
  if (focused !== undefined) headline.querySelector(`[data-place="${focused}"]`)?.focus();
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
  const box = element("div", verdict?.beside ? "verdict beside" : "verdict");
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
