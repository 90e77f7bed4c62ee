// Keeps the token of the judge in a cookie of this browser, or takes it out. The server reads the cookie
// when the page is loaded anew.
let done = null;

export default function ({ data }) {
  // Once a page: another window may have changed the judge since.
  if (done === data.token) return;
  done = data.token;
  const age = data.token ? data.seconds : 0;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.cookie}=${data.token}; Path=/; SameSite=Strict; Max-Age=${age}${secure}`;
}
