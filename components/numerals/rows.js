// Draws headlines below each other, each with its light, its reason, the line of the article that decides, and
// the arithmetic on demand. All text arrives as data and is only ever set as text.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rows");
  const again = root.dataset.asked === data.asked;
  const opened = new Set(
    again ? [...root.querySelectorAll("details[open]")].map((one) => one.dataset.place) : [],
  );
  const focused = again ? parentElement.activeElement?.dataset?.focus : undefined;
  root.dataset.asked = data.asked;
  const list = element("ol");
  data.rows.forEach((row, place) => {
    list.append(drawn(row, String(place), opened, () => setTriggerValue("opened", place)));
  });
  root.replaceChildren(list);
  if (focused !== undefined) root.querySelector(`[data-focus="${focused}"]`)?.focus();
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawn(row, place, opened, open) {
  const item = element("li", `row ${row.kind}`);
  item.style.setProperty("--light", row.colour);
  const light = element("p", "light");
  const sign = element("span", "sign", row.sign);
  sign.setAttribute("aria-hidden", "true");
  light.append(sign, element("span", "word", row.word));
  const told = element("div", "told");
  const headline = element("h3");
  headline.dir = "auto";
  headline.append(...row.headline.map(piece));
  told.append(headline, element("p", "reason", row.reason));
  if (row.quote.length) {
    const quote = element("blockquote");
    quote.dir = "auto";
    quote.append(element("span", "lead", "The article:"), ...row.quote.map(piece));
    told.append(quote);
  }
  if (row.numbers.length) told.append(arithmetic(row, place, opened, open));
  item.append(light, told);
  return item;
}

function piece(one) {
  if (!one.kind) return document.createTextNode(one.text);
  const mark = element("mark", one.kind, one.text);
  if (one.colour) mark.style.setProperty("--light", one.colour);
  if (one.told) mark.title = one.told;
  return mark;
}

function arithmetic(row, place, opened, open) {
  const box = element("details");
  box.dataset.place = place;
  box.open = opened.has(place);
  const summary = element("summary", "", "Show the arithmetic");
  summary.dataset.focus = `arithmetic-${place}`;
  const numbers = element("ul", "numbers");
  for (const one of row.numbers) numbers.append(number(one));
  const button = element("button", "open", "See it in the article");
  button.type = "button";
  button.dataset.focus = `open-${place}`;
  button.addEventListener("click", open);
  box.append(summary, numbers, button);
  return box;
}

function number(one) {
  const item = element("li");
  const head = element("p");
  head.append(element("b", "", one.text), ` ${one.sign} ${one.word} · ${one.probability}`);
  item.append(head, element("p", "", one.reason));
  if (one.ways.length) {
    const ways = element("ul", "ways");
    for (const way of one.ways) {
      const line = element("li");
      line.append(element("code", "", way.expression), ` ${way.words}`);
      ways.append(line);
    }
    item.append(ways);
  } else {
    item.append(element("p", "", "No way to get it from the article's numbers was found."));
  }
  return item;
}
