// Has the server keep a token in a cookie of this browser, or take it out: for a ticket that is good once.
const done = new Map();

async function keep(data, wait = 500) {
  const base = window.__streamlit?.BACKEND_BASE_URL ?? window.location.origin;
  try {
    // It goes on when the page is left.
    await fetch(`${base.replace(/\/$/, "")}/keep/${data.ticket}`, { method: "POST", keepalive: true });
  } catch {
    setTimeout(() => done.get(data.cookie) === data.mark && keep(data, Math.min(2 * wait, 8000)), wait);
  }
}

export default function ({ data }) {
  // Once a page: another window may have changed the token since.
  if (done.get(data.cookie) === data.mark) return;
  done.set(data.cookie, data.mark);
  keep(data);
}
