// Keeps tokens in cookies of this browser, or takes them out. The server reads the cookies when the page is
// loaded anew.
const done = new Map();

export default function ({ data }) {
  // Once a page: another window may have changed the token since.
  if (done.get(data.cookie) === data.token) return;
  done.set(data.cookie, data.token);
  const age = data.token ? data.seconds : 0;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.cookie}=${data.token}; Path=/; SameSite=Strict; Max-Age=${age}${secure}`;
}
