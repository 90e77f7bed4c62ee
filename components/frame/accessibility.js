// What Streamlit's elements lack for screen readers and the keyboard; each fix says why, with the rule of
// axe-core that found it. They are applied anew whenever the page changes.

const fixes = [
  // list, listitem: headings stand between the entries of the menu, so that they lie in no list.
  ['[data-testid="stSidebarNavItems"], [data-testid="stSidebarNavItems"] li', { role: "none" }],
  // presentation-role-conflict: the drop zone has a name and can be focused.
  ['[data-testid="stFileUploaderDropzone"]', { role: "group" }],
  // scrollable-region-focusable: on a small screen the arrow keys move a table that is too wide.
  ['[data-testid="stTable"] > div', { tabindex: "0", role: "group", "aria-label": "Table" }],
  // scrollable-region-focusable: so do they a box whose text is longer than it is high.
  ['[data-testid="stVerticalBlock"][overflow="auto"]', { tabindex: "0", role: "group", "aria-label": "Text" }],
  // On a phone it opens the menu, and says so.
  ['[data-testid="stExpandSidebarButton"]', { "aria-label": "Menu" }],
  // The word mark leads to the first page; Streamlit calls it "Logo".
  ['[data-testid="stLogoLink"]', { "aria-label": "Headline Lab" }],
  // aria-dialog-name: a toast names a heading that it does not have.
  ['[data-testid="stToast"]', { "aria-label": "Notice" }],
  // landmark-unique: the Archive page has two lists, each with the numbers of its pages.
  ...["groups", "headlines"].map((of) =>
    [`[class*="st-key-archive-page-${of}"] [role="navigation"]`, { "aria-label": `Pages of ${of}` }]),
];

function fix() {
  for (const [found, attributes] of fixes) {
    for (const element of document.querySelectorAll(found)) {
      for (const [name, value] of Object.entries(attributes)) {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  }
}

// The bar at the top says under which head the page stands.
function here(head) {
  for (const section of document.querySelectorAll('[data-testid="stTopNavSection"]')) {
    if (section.textContent.trim() === head) section.setAttribute("aria-current", "true");
    else section.removeAttribute("aria-current");
  }
}

// color-contrast: pictures are painted by the server, so a theme that changes meanwhile asks for new ones.
let asked;

function follow(app, painted, repaint) {
  const shown = getComputedStyle(app).colorScheme;
  if (document.body.style.colorScheme !== shown) document.body.style.colorScheme = shown;
  if (shown === painted) {
    asked = undefined;
  } else if (asked !== shown && app.dataset.testScriptState !== "running") {
    asked = shown;
    repaint(shown);
  }
}

// Streamlit says for five seconds, in words of its own, that a download failed: the page is drawn anew and says
// what failed.
let failed = null;

function report(failure, redraw) {
  if (failure && failure !== failed) redraw();
  failed = failure;
}

// Keys that every page knows; the others belong to buttons and to the list of events.
function press(event) {
  const target = event.composedPath()[0];
  const writes = target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button that makes a file is disabled meanwhile: the focus goes, and with it what Escape closes.
  const alone = document.activeElement === document.body;
  const goal = {
    ...(alone && { Escape: '[role="dialog"] button[aria-label="Close"]' }),
    "/": '[data-testid="stMain"] input[type="search"], [data-testid="stMain"] input[aria-label="Search"]',
    "?": ".st-key-page-menu button",
  }[event.key];
  const found = goal && document.querySelector(goal);
  if (!found) return;
  event.preventDefault();
  if (event.key === "/") found.focus();
  else found.click();
}

// Streamlit calls this again after every run, without a word to the call before.
let stop = () => {};
let begun = 0;

export default function ({ data, setTriggerValue }) {
  stop();
  // What was opened far down the page begins at its top, once.
  if (data.begun > begun) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  begun = data.begun;
  Object.assign(document.documentElement, { lang: data.lang, dir: data.dir });
  const app = document.querySelector('[data-testid="stApp"]');
  let frame = 0;
  const look = () => {
    frame = 0;
    fix();
    here(data.head);
    follow(app, data.painted, (shown) => setTriggerValue("theme", shown));
    report(document.querySelector('[data-testid="stDownloadButtonError"]'), () => setTriggerValue("failed", true));
  };
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(look);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  observer.observe(app, { attributeFilter: ["class", "data-test-script-state"] });
  document.addEventListener("keydown", press);
  stop = () => {
    document.removeEventListener("keydown", press);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
  look();
  return stop;
}
