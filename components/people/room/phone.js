// Says that the server is gone, and that it is back: what the phone shows meanwhile is old.
// Streamlit calls this again after every run of the page; the session may be another one then.
let stop = () => {};
let lost = false;

export default function ({ parentElement, data }) {
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
  stop = () => {
    observer.disconnect();
    clearInterval(timer);
  };
  look();
  return stop;
}
