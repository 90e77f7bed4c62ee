// Draws headlines below each other, each with its light, its reason, the line of the article that decides, and
// buttons that open it beside the article or put the right number in; what is only found has a bar. All text arrives as data and is only ever set as text.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rows");
  const focused = root.dataset.asked === data.asked ? parentElement.activeElement?.dataset?.focus : undefined;
  if (root.dataset.asked !== data.asked && data.quoted) bring(data.quoted, data.box);
  root.dataset.asked = data.asked;
  root.replaceChildren(element("ol", "", ...data.rows.map((row, place) => drawn(row, place, setTriggerValue))));
  if (focused !== undefined) root.querySelector(`[data-focus="${focused}"]`)?.focus();
}

// Scrolls the box of the pasted article to the line that is quoted first, unless somebody types there.
function bring(quoted, key) {
  const box = document.querySelector(`.st-key-${key} textarea`);
  const at = box ? box.value.indexOf(quoted.split("\n")[0]) : -1;
  if (at < 0 || document.activeElement === box) return;
  const before = box.cloneNode();
  before.value = box.value.slice(0, at);
  Object.assign(before.style, { position: "absolute", visibility: "hidden", height: "0", width: `${box.clientWidth}px` });
  box.after(before);
  box.scrollTop = Math.max(0, before.scrollHeight - box.clientHeight / 3);
  before.remove();
}

function drawn(row, place, set) {
  const item = element("li", `row ${row.kind}`);
  item.style.setProperty("--light", row.colour);
  const light = element("p", "light", element("span", "sign", row.sign), element("span", "word", row.word));
  light.firstChild.setAttribute("aria-hidden", "true");
  if (row.probability !== null) {
    const bar = element("span", "bar");
    bar.style.setProperty("--share", `${100 * row.probability}%`);
    bar.title = `Probability ${Math.round(100 * row.probability)} %`;
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", bar.title);
    light.append(bar);
  }
  const headline = element("h3", "", ...row.headline.map(piece));
  const sure = row.probability === null ? "" : `, ${Math.round(100 * row.probability)} % probable`;
  const brief = element("b", "brief", `${row.word[0].toUpperCase()}${row.word.slice(1)}${sure}. `);
  const told = element("div", "told", headline, element("p", "reason", brief, row.reason));
  if (row.quote.length) {
    told.append(element("blockquote", "", element("span", "lead", "The article:"), ...row.quote.map(piece)));
  }
  for (const text of told.querySelectorAll("h3, blockquote")) text.dir = "auto";
  const offer = (what, name, title) => {
    const button = buttonOf("open", title, () => set(name, place), what);
    button.dataset.focus = `${name}-${place}`;
    told.append(button);
  };
  if (row.use) offer(row.use, "used", row.better);
  if (row.numbers) offer("See it in the article", "opened", "");
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
