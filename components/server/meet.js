
// A proxy that asks by another name or port has the socket refused: the page would wait for ever, so it says why.
const plain = (host) => host.replace(location.protocol === "https:" ? /:443$/ : /:80$/, "").toLowerCase();
if (plain(asked) !== plain(location.host)) {
  addEventListener("DOMContentLoaded", () => {
    const said = document.createElement("p");
    said.setAttribute("role", "alert");
    said.style = "font: 1.1rem sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem";
    said.textContent = "This page does not reach its server: the proxy before it asks by another name or port "
      + "than your browser. The person who runs it sets the header Host to what the browser named, in nginx "
      + "by proxy_set_header Host $http_host; see headline-lab serve-config.";
    document.body.replaceChildren(said);
  });
}
