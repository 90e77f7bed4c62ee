
const parts = location.pathname.split("/").filter(Boolean);
if (pages.includes(parts.at(-1))) parts.pop();
window.__streamlit = { BACKEND_BASE_URL: new URL("/" + parts.join("/"), location.origin).href };
