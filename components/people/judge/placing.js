// The timeline beside a headline. Keys answer in the order in which they are pressed: what is pressed before the
// next headline stands waits for it. Headlines, lines and groups can be dragged onto each other.
const HEADLINE = ".st-key-annotate-headline";
const GROUPS = ".st-key-annotate-groups button:not(:disabled)";
const LINE = ".headline-lab-placing li";
const KEYS = /^([nvzms0-9]|ArrowLeft|ArrowRight|Enter|Escape)$/;
const ELSEWHERE =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=radiogroup], " +
  "[role=listbox]:not(.headline-lab-placing *), [data-testid=stDataFrame]";
const waiting = [];
let page = null;
let message = { sent: 0 };
let busy = false;
let dragged = "";
let over = null;
let shown;

function tell(keys, ahead) {
  busy = true;
  message = { sent: message.sent + 1, row: page.data.row, entry: page.data.entry, keys, ahead };
  page.setTriggerValue("keys", message);
}

function say(key) {
  if (busy) waiting.push(key);
  else tell([key], false);
}

function press(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const inList = event.target.closest?.(".headline-lab-placing ol") && /^Arrow(Up|Down)$/.test(key);
  if (!(inList || KEYS.test(key)) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.(ELSEWHERE) || !document.querySelector(HEADLINE)) return;
  const digits = page.data.typed || (busy && /\d$/.test([...(message.keys ?? []), ...waiting].join("")));
  if ((key === "Enter" && !digits && !page.data.ticks) || (key === "Escape" && !page.data.act)) return;
  // Streamlit's own keys would press a button of a headline that is answered already.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.repeat && (busy || !key.startsWith("Arrow"))) return;
  say(key);
}

// What can be dragged and what it can be dropped on, as the server reads it: "12" is a headline, "g3" a group.
function thing(target, source) {
  const line = target.closest?.(LINE);
  if (line) return source ? line.dataset.row : line.dataset.group;
  if (source && target.closest?.(HEADLINE)) return String(page.data.row ?? "");
  const key = target.closest?.(GROUPS)?.closest('[class*="st-key-annotate-"]').className;
  const [, name, number] = key?.match(/annotate-(new|vague|group-(\d+))/) ?? [];
  return number ? `g${number}` : source ? "" : name;
}

function mark(element) {
  if (over === element) return;
  over?.classList.remove("headline-lab-drop");
  element?.classList.add("headline-lab-drop");
  over = element;
}

function aim(event) {
  const onto = dragged && thing(event.target, false);
  const fits = onto && onto !== dragged && (!dragged.startsWith("g") || onto.startsWith("g"));
  mark(fits ? event.target.closest(`${LINE}, ${GROUPS}`) : null);
  if (fits) event.preventDefault();
  return fits ? onto : "";
}

const listeners = {
  keydown: press,
  click: (event) => {
    const line = event.target.closest?.(LINE);
    if (line) say(`go ${line.dataset.row}`);
    else if (event.target.closest?.(GROUPS)) busy = true;
  },
  pointerdown: (event) => {
    const button = event.target.closest?.(GROUPS);
    if (button && thing(button, true)) button.draggable = true;
  },
  dragstart: (event) => {
    dragged = thing(event.target, true) ?? "";
    if (dragged) event.dataTransfer.setData("text/plain", event.target.innerText);
  },
  dragover: aim,
  drop: (event) => {
    const onto = aim(event);
    if (onto) say(`drop ${dragged} ${onto}`);
  },
  dragend: () => {
    dragged = "";
    mark(null);
  },
};

function leave() {
  for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener, true);
}

function blankLine() {
  const line = document.createElement("li");
  line.append(...["b", "time", "span"].map((name) => document.createElement(name)));
  line.role = "option";
  line.draggable = true;
  return line;
}

function draw(fold, { title, lines, palette, row }) {
  const [summary, list] = fold.children;
  summary.textContent = list.ariaLabel = title;
  const colour = (number) => palette.at(number > 0 ? (number - 1) % (palette.length - 1) : -1);
  const numbers = [...new Set(lines.map(([, number]) => number))].filter((number) => number > 0);
  const edge = (number) =>
    `.st-key-annotate-group-${number} button { border-inline-start: 0.375rem solid ${colour(number)} }`;
  fold.nextElementSibling.textContent = numbers.map(edge).join("");
  // Lines are changed where they stand: one that is pressed or dragged must not go.
  while (list.childElementCount > lines.length) list.lastChild.remove();
  while (list.childElementCount < lines.length) list.append(blankLine());
  lines.forEach(([at, number, day, text], place) => {
    const line = list.children[place];
    const chip = number > 0 ? number : number ? "–" : "";
    // Days are in order: each stands once, on its first line.
    const date = day === lines[place - 1]?.[2] ? "" : day;
    [chip, date, text].forEach((said, part) => (line.children[part].textContent = said));
    line.firstChild.style.background = number ? colour(number) : "";
    line.ariaSelected = String(at === row);
    Object.assign(line.dataset, { row: at, group: number > 0 ? `g${number}` : "" });
  });
  const here = list.querySelector("[aria-selected=true]") ?? list.lastChild;
  if (!here || (shown === row && list.scrollTop)) return;
  shown = row;
  list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

// Streamlit calls this again after every run.
export default function ({ data, parentElement, setTriggerValue }) {
  const fold = parentElement.querySelector("details");
  if (!page) {
    // Beside the headline where there is room, folded above it where there is none, also after a turn.
    const wide = matchMedia("(min-width: 641px)");
    fold.open = wide.matches;
    wide.addEventListener("change", () => (fold.open = wide.matches));
  }
  page = { data, setTriggerValue };
  draw(fold, data);
  fold.ontoggle = () => draw(fold, page.data);
  if (data.heard > message.sent) message = { sent: data.heard };
  if (data.heard === message.sent) {
    busy = false;
    if (waiting.length) tell(waiting.splice(0), true);
  } else {
    // What a server that was started again did not hear is said again; what it heard, it hears once.
    setTriggerValue("keys", message);
  }
  const headline = document.querySelector(HEADLINE);
  if (headline) headline.draggable = data.row !== null;
  leave();
  for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener, true);
  return leave;
}
