// Shows what is new as notifications of the browser, once a click asked for them. Texts stay texts.
export default function (component) {
  const { data, parentElement } = component;
  const button = parentElement.querySelector("button");
  const label = button.querySelector(".label");
  const streams = (parentElement.known ??= {});
  const known = (streams[data.about] ??= new Set(data.news.map((each) => each.id)));
  const allowed = () => window.Notification?.permission === "granted";
  const isOn = () => allowed() && sessionStorage.getItem(data.about) === "on";
  const say = (refused) => {
    button.setAttribute("aria-pressed", String(isOn()));
    label.textContent = refused ? "The browser did not allow it" : isOn() ? data.stop : data.start;
  };
  button.onclick = async () => {
    const start = !isOn();
    // Browsers ask nobody on pages that came without encryption from another computer.
    if (start && !allowed()) await window.Notification?.requestPermission();
    sessionStorage.setItem(data.about, start ? "on" : "off");
    say(start && !allowed());
  };
  say(false);
  for (const each of data.news.filter(({ id }) => !known.has(id))) {
    known.add(each.id);
    if (!isOn()) continue;
    try {
      const shown = new Notification(each.title, { body: each.text, tag: each.id });
      shown.onclick = () => window.focus();
    } catch {
      say(true); // phones show those of installed pages alone
    }
  }
}
