// Copies a text or the page's address. Texts arrive as data and are only ever put into text nodes.
export default function (component) {
  const { data, parentElement } = component;
  const button = parentElement.querySelector("button");
  const label = button.querySelector(".label");
  label.textContent = data.label;
  label.setAttribute("aria-live", "polite");
  button.onclick = async () => {
    const copied = await copy(data.text ?? window.location.href);
    label.textContent = copied ? "Copied" : "The browser did not allow it";
    setTimeout(() => (label.textContent = data.label), 2500);
  };
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers keep the clipboard from pages that came without encryption from another computer.
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
