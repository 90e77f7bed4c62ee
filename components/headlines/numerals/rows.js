// Draws headlines below each other, each with its light, its reason, the line of the article that decides, and
// a button that opens it beside the article. All text arrives as data and is only ever set as text.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rows");
  const focused = root.dataset.asked === data.asked ? parentElement.activeElement?.dataset?.focus : undefined;
  root.dataset.asked = data.asked;
  const list = element("ol");
  data.rows.forEach((row, place) => {
    list.append(drawn(row, place, () => setTriggerValue("opened", place)));
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

function drawn(row, place, open) {
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
  if (row.numbers) {
    const button = element("button", "open", "See it in the article");
    button.type = "button";
    button.dataset.focus = `open-${place}`;
    button.addEventListener("click", open);
    told.append(button);
  }
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
