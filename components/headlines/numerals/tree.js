// Draws an expression as a tree of nested lists; all text is only ever set as text.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tree");
  root.style.setProperty("--status", data.colour);
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", data.alt);
  const list = document.createElement("ul");
  list.append(branch(data.root));
  root.replaceChildren(list);
}

function branch(node) {
  const item = document.createElement("li");
  const box = document.createElement("div");
  box.className = node.children.length ? "node operator" : "node";
  const label = document.createElement("b");
  label.textContent = node.label;
  box.append(label);
  if (node.note) {
    const note = document.createElement("small");
    note.textContent = node.note;
    box.append(note);
  }
  item.append(box);
  if (node.children.length) {
    const list = document.createElement("ul");
    list.append(...node.children.map(branch));
    item.append(list);
  }
  return item;
}
