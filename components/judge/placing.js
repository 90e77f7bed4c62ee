// Keys answer in the order in which they are pressed: what is pressed before the next headline stands waits
// for it. A headline can also be dragged onto what the keys choose: dropping it there presses the button.
const HEADLINE = ".st-key-annotate-headline";
const GROUPS = ".st-key-annotate-groups button:not(:disabled)";
const KEYS = /^([nvz0-9]|ArrowLeft|ArrowRight|Enter)$/;
const ELSEWHERE =
  "input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=radiogroup], " +
  "[data-testid=stDataFrame]";
const waiting = [];
let page = null;
let told = { sent: 0 };
let busy = false;
let dragged = false;
let over = null;

function tell(keys, ahead) {
  busy = true;
  told = { sent: told.sent + 1, row: page.data.row, keys, ahead };
  page.setTriggerValue("keys", told);
}

function press(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS.test(key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.(ELSEWHERE) || !document.querySelector(HEADLINE)) return;
  const digits = page.data.typed || (busy && /\d$/.test([...(told.keys ?? []), ...waiting].join("")));
  if (key === "Enter" && !digits) return;
  // Streamlit's own keys would press a button of a headline that is answered already.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.repeat && (busy || !key.startsWith("Arrow"))) return;
  if (busy) waiting.push(key);
  else tell([key], false);
}

function mark(button) {
  if (over === button) return;
  over?.classList.remove("headline-lab-drop");
  button?.classList.add("headline-lab-drop");
  over = button;
}

function aim(event) {
  const button = dragged ? event.target.closest?.(GROUPS) ?? null : null;
  mark(button);
  if (button) event.preventDefault();
  return button;
}

const listeners = {
  keydown: press,
  click: (event) => {
    if (event.target.closest?.(GROUPS)) busy = true;
  },
  dragstart: (event) => {
    dragged = Boolean(event.target.closest?.(HEADLINE));
    if (dragged) event.dataTransfer.setData("text/plain", event.target.innerText);
  },
  dragover: aim,
  drop: (event) => aim(event)?.click(),
  dragend: () => {
    dragged = false;
    mark(null);
  },
};

function leave() {
  for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener, true);
}

// Streamlit calls this again after every run.
export default function ({ data, setTriggerValue }) {
  page = { data, setTriggerValue };
  if (data.heard > told.sent) told = { sent: data.heard };
  if (data.heard === told.sent) {
    busy = false;
    if (waiting.length) tell(waiting.splice(0), true);
  } else {
    // What a server that was started again did not hear is said again; what it heard, it hears once.
    setTriggerValue("keys", told);
  }
  const headline = document.querySelector(HEADLINE);
  if (headline) headline.draggable = Boolean(document.querySelector(GROUPS));
  leave();
  for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener, true);
  return leave;
}
