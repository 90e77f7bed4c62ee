// Says that the server is gone, and that it is back: what the phone shows meanwhile is old.
// Streamlit calls this again after every run of the page; the session may be another one then.
let stop = () => {};
let lost = false;

// Waits until the room has something else to show; the page is run once then, and not to look.
async function follow(data, signal, moved) {
  const after = (milliseconds) => new Promise((then) => setTimeout(then, milliseconds));
  const base = (window.__streamlit?.BACKEND_BASE_URL ?? window.location.origin).replace(/\/$/, "");
  while (data.address && !signal.aborted) {
    const began = Date.now();
    try {
      const answer = await fetch(`${base}/${data.address}?known=${data.known}`, { signal });
      const mark = answer.ok ? await answer.text() : "";
      if (!mark) return;
      if (mark !== data.known) return moved(mark);
      // Who is told the same at once, by a full room or from the store of a proxy, asks twice a second.
      await after(began + 500 - Date.now());
    } catch {
      if (!signal.aborted) await after(2000);
    }
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  stop();
  const app = document.querySelector('[data-testid="stApp"]');
  const sign = parentElement.querySelector(".join-connection");
  let heard = Date.now();
  const look = () => {
    // A phone that left the network keeps its connection for a while, but hears nothing any more.
    const silent = data.patience && !document.hidden && Date.now() - heard > 1000 * data.patience;
    const gone = app.dataset.testConnectionState !== "CONNECTED" || silent;
    if (gone === lost && sign.textContent) return;
    if (gone || lost) sign.textContent = data.said[gone ? 0 : 1];
    sign.dataset.gone = gone;
    lost = gone;
  };
  const observer = new MutationObserver(() => {
    heard = Date.now();
    look();
  });
  observer.observe(app, { attributeFilter: ["data-test-connection-state", "data-test-script-state"] });
  const timer = setInterval(look, 1000);
  const waiting = new AbortController();
  follow(data, waiting.signal, (mark) => setTriggerValue("moved", mark));
  stop = () => {
    waiting.abort();
    observer.disconnect();
    clearInterval(timer);
  };
  look();
  return stop;
}
