// Draws an expression as a tree of nested lists; all text is only ever set as text.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tree");
  root.style.setProperty("--status", data.colour);
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", data.alt);
  root.replaceChildren(element("ul", "", branch(data.root)));
}

function branch({ label, note, children }) {
  const box = element("div", children.length ? "node operator" : "node", element("b", "", label));
  if (note) box.append(element("small", "", note));
  return element("li", "", box, ...(children.length ? [element("ul", "", ...children.map(branch))] : []));
}
