// A headline can be dragged onto what the keys choose: dropping it there presses the button.
const HEADLINE = ".st-key-annotate-headline";
const GROUPS = ".st-key-annotate-groups button:not(:disabled)";
let dragged = false;
let over = null;

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

// Streamlit calls this again after every run.
export default function () {
  const headline = document.querySelector(HEADLINE);
  if (headline) headline.draggable = Boolean(document.querySelector(GROUPS));
  for (const [name, listener] of Object.entries(listeners)) {
    document.removeEventListener(name, listener);
    document.addEventListener(name, listener);
  }
}
